/** A photo that could not be read: the photo, why, and what can be done. */

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";
import { enterByHand } from "../photo.js";
import { go } from "../router.js";
import { icon } from "./icons.js";
import { photoOverlay } from "./overlay.js";
import { refusalWords } from "./refusal.js";

/** Whether a photo was sent and nothing can be scored by it. */
export const noReading = ({ busy, layout, problem, reading }) =>
  !busy && Boolean(problem ?? (layout === null && reading));

/** What is shown then. */
export const refusedPanel = ({ problem, reading, shots }) => html`
  <p class="message unsure" role="alert">
    ${icon("doubt")}
    <span>${problem ? refusalWords(problem) : t(`reading.${reading.status}`)}</span>
  </p>
  ${shots[0]?.url ? html`<div class="pane">${photoOverlay(shots[0], null, null)}</div>` : nothing}
  <div class="actions">
    <button @click=${byHand}>${icon("edit")} ${t("capture.byHand")}</button>
    <a class="button primary" href="#/photo">${icon("camera")} ${t("verdict.tryAgain")}</a>
  </div>
`;

function byHand() {
  enterByHand();
  go("/photo/reading");
}
