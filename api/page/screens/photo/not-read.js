/** A photo that could not be read: the photo, why, and what can be done. */

import { html, nothing } from "../../vendor/lit-html.js";
import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { photoPicture } from "../../parts/photo.js";
import { refusalWords } from "../../parts/refusal.js";
import { go } from "../../shell/router.js";
import { enterByHand } from "./scoring.js";

/** Whether a photo was sent and nothing can be scored by it. */
export const noReading = ({ busy, position, problem, reading }) =>
  !busy && Boolean(problem ?? (position === null && reading));

/** What is shown then. */
export const notReadPanel = ({ problem, reading, shots }) => html`
  <p class="message unsure" role="alert">
    ${icon("doubt")}
    <span>${problem ? refusalWords(problem) : t(`reading.${reading.status}`)}</span>
  </p>
  ${shots[0]?.url ? html`<div class="pane">${photoPicture(shots[0])}</div>` : nothing}
  <div class="actions">
    <button @click=${byHand}>${icon("edit")} ${t("capture.byHand")}</button>
    <a class="button primary" href="#/photo">${icon("camera")} ${t("verdict.tryAgain")}</a>
  </div>
`;

function byHand() {
  enterByHand();
  go("/photo/reading");
}
