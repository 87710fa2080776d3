/** Verdict: points and cards of one photo; afterwards what would have been best. */

import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { readEach, stopReading } from "../../device/speech.js";
import { go } from "../../shell/router.js";
import { choose } from "../../shell/settings.js";
import { state, update } from "../../shell/store.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { noReading, notReadPanel } from "./not-read.js";
import { photoGame, solveBest } from "./scoring.js";
import { steps } from "./steps.js";

export const title = () => t("verdict.title");

export function enter() {
  const { busy, position, cards } = state.photo;
  if (busy || noReading(state.photo)) return;
  if (position === null) go("/photo", { replace: true });
  else if (cards.length === 0) go("/photo/cards", { replace: true });
}

export const leave = () => stopReading();

export const view = ({ photo, settings }) => html`
  ${steps(photo, "verdict")}
  <h1 tabindex="-1">${t("verdict.title")}</h1>
  ${body(photo, settings)}
`;

function body(photo, settings) {
  if (noReading(photo)) return notReadPanel(photo);
  if (photo.busy) return html`<p class="busy" role="status">${t("photo.reading")}</p>`;
  if (!photo.score) return html`<p class="busy" role="status">${t("photo.scoring")}</p>`;
  if (photo.score.points === null) return illegal();
  return scored(photo, settings);
}

const scored = (photo, settings) => html`
  ${photoGame().verdictPanel({
    shot: photo.shots[0],
    reading: photo.reading,
    position: photo.position,
    score: photo.score,
    turned: photo.turned,
    onTurn: (place) => turn(place, settings.voice),
  })}
  ${photo.solution && photo.bestShown ? photoGame().bestPanel(photo.solution) : nothing}
  <div class="actions">
    <button aria-pressed=${settings.voice} @click=${() => aloud(photo, !settings.voice)}>
      ${icon("speaker")} ${t("verdict.aloud")}
    </button>
    <button @click=${showBest} ?hidden=${photo.bestShown}>${icon("star")} ${t("verdict.best")}</button>
    <a class="button" href="#/photo/reading">${icon("edit")} ${t("verdict.check")}</a>
    <a class="button primary" href="#/photo">${icon("camera")} ${t("verdict.again")}</a>
  </div>
`;

const illegal = () => html`
  <p class="message unsure" role="alert">${icon("doubt")}<span>${t("verdict.illegal")}</span></p>
  <div class="actions">
    <a class="button primary" href="#/photo/reading">${t("verdict.check")}</a>
  </div>
`;

function turn(place, voice) {
  update("photo", { turned: place });
  if (voice) readEach([photoGame().verdictSpoken(state.photo.score.verdicts[place])]);
}

function aloud(photo, on) {
  void choose({ voice: on });
  if (!on) return stopReading();
  const sentences = photo.score.verdicts.map(photoGame().verdictSpoken);
  return readEach(sentences, (place) => update("photo", { turned: place }));
}

async function showBest() {
  update("photo", { bestShown: true });
  if (!state.photo.solution) await solveBest();
  requestAnimationFrame(() => document.querySelector(".best")?.scrollIntoView({ block: "end" }));
}
