/** Review: what was read, beside the photo; to be corrected by tapping. */

import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { worth } from "../../parts/worth.js";
import { go } from "../../shell/router.js";
import { state } from "../../shell/store.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { noReading, notReadPanel } from "./not-read.js";
import { correct, photoGame, undo } from "./scoring.js";
import { steps } from "./steps.js";

const MOST_ANGLES = 4;

export const title = () => t("review.title");

export function enter() {
  const { busy, position } = state.photo;
  if (!busy && position === null && !noReading(state.photo)) go("/photo", { replace: true });
}

export const view = ({ photo }) => html`
  ${steps(photo, "reading")}
  <h1 tabindex="-1">${t("review.title")}</h1>
  ${body(photo)}
`;

function body(photo) {
  if (noReading(photo)) return notReadPanel(photo);
  return photo.busy || photo.position === null ? busy() : reviewed(photo);
}

const busy = () => html`<p class="busy" role="status">${t("photo.reading")}</p>`;

const reviewed = (photo) => html`
  ${photoGame().reviewPanel({
    shot: photo.shots[0],
    reading: photo.reading,
    position: photo.position,
    corrections: photo.earlier.length,
    onCorrect: correct,
    onUndo: undo,
  })}
  <div class="actions">
    ${photo.cards.length > 0 ? worth(photoGame(), photo.score) : nothing}
    ${photo.reading && photo.shots.length < MOST_ANGLES
      ? html`<a class="button" href="#/photo/angle">${icon("angle")} ${t("photo.angle")}</a>`
      : nothing}
    ${photo.cards.length > 0 && photo.score?.points != null
      ? html`<a class="button primary" href="#/photo/verdict">${t("review.toVerdict")} ${icon("next")}</a>`
      : html`<a class="button primary" href="#/photo/cards">${t("review.toCards")} ${icon("next")}</a>`}
  </div>
`;
