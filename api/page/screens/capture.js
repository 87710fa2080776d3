/** Capture: a photo by the live view, by the camera app, or from a file. */

import { t } from "../i18n/index.js";
import { picked } from "../parts/angle.js";
import { icon } from "../parts/icons.js";
import { steps } from "../parts/steps.js";
import { enterByHand, scorePhotos } from "../photo.js";
import { go } from "../router.js";
import { html } from "../vendor/lit-html.js";

export const title = () => t("capture.title");

export const view = ({ photo }) => html`
  ${steps(photo, "photo")}
  <h1 tabindex="-1">${t("capture.title")}</h1>
  <p class="lead">${t("capture.how")}</p>
  <div class="actions">
    <button @click=${byHand}>${icon("edit")} ${t("capture.byHand")}</button>
    <label class="button">
      ${icon("picture")} ${t("capture.file")}
      <input type="file" accept="image/*" @change=${(event) => picked(event, taken)} />
    </label>
    <label class="button primary">
      ${icon("camera")} ${t("capture.cameraApp")}
      <input type="file" accept="image/*" capture="environment" @change=${(event) => picked(event, taken)} />
    </label>
  </div>
`;

function taken(photo) {
  go("/photo/reading");
  void scorePhotos([photo]);
}

function byHand() {
  enterByHand();
  go("/photo/reading");
}
