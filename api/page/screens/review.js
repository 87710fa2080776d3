/** Review: what was read, beside the photo; to be corrected by tapping. */

import { t, tn } from "../i18n/index.js";
import { icon } from "../parts/icons.js";
import { noReading, refusedPanel } from "../parts/refused.js";
import { reviewPanel } from "../parts/review.js";
import { steps } from "../parts/steps.js";
import { correct, undo } from "../photo.js";
import { go } from "../router.js";
import { state } from "../store.js";
import { html, nothing } from "../vendor/lit-html.js";

const MOST_ANGLES = 4;

export const title = () => t("review.title");

export function enter() {
  const { busy, layout } = state.photo;
  if (!busy && layout === null && !noReading(state.photo)) go("/photo", { replace: true });
}

export const view = ({ photo }) => html`
  ${steps(photo, "reading")}
  <h1 tabindex="-1">${t("review.title")}</h1>
  ${body(photo)}
`;

function body(photo) {
  if (noReading(photo)) return refusedPanel(photo);
  return photo.busy || photo.layout === null ? busy() : reviewed(photo);
}

const busy = () => html`<p class="busy" role="status">${t("photo.reading")}</p>`;

const reviewed = (photo) => html`
  ${reviewPanel({
    shot: photo.shots[0],
    reading: photo.reading,
    layout: photo.layout,
    corrections: photo.earlier.length,
    onCorrect: correct,
    onUndo: undo,
  })}
  <div class="actions">
    ${preview(photo)}
    ${photo.reading && photo.shots.length < MOST_ANGLES
      ? html`<a class="button" href="#/photo/angle">${icon("angle")} ${t("photo.angle")}</a>`
      : nothing}
    ${photo.cards.length > 0 && photo.score?.points != null
      ? html`<a class="button primary" href="#/photo/verdict">${t("review.toVerdict")} ${icon("next")}</a>`
      : html`<a class="button primary" href="#/photo/cards">${t("review.toCards")} ${icon("next")}</a>`}
  </div>
`;

/** What the layout is worth as it stands, or what is wrong with it. */
const preview = ({ score, cards }) => {
  if (cards.length === 0 || !score) return nothing;
  if (score.problems.length > 0) {
    return html`<ul class="problems" role="status">
      ${score.problems.map(({ code, seats }) => html`<li>${icon("cross")} ${t(`problem.${code}`, { seats: seats.join(", ") })}</li>`)}
    </ul>`;
  }
  return html`<p class="worth" role="status">
    <b>${score.points}</b> ${tn("verdict.pointsWord", Math.abs(score.points))}
  </p>`;
};
