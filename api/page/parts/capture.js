/** Taking a photo: live view, shutter, the camera app, a file; or entering by hand. */

import { html, nothing } from "../vendor/lit-html.js";
import { shutter } from "../device/filming.js";
import { t } from "../i18n/index.js";
import { icon } from "./icons.js";
import { viewfinder } from "./viewfinder.js";

/**
 * The panel with its actions; `instead`: what is shown where there is no live view; else
 * how the game wants the camera held. `other`: a further action, such as to do without.
 */
export const capturePanel = ({
  game,
  camera,
  onPhoto,
  onByHand = null,
  instead = game.howToHold,
  other = nothing,
}) => html`
  ${camera.on ? viewfinder(game, camera) : withoutView(camera, instead)}
  <div class="actions">
    ${onByHand
      ? html`<button @click=${onByHand}>${icon("edit")} ${t("capture.byHand")}</button>`
      : nothing}
    ${other}
    <label class="button">
      ${icon("picture")} ${t("capture.file")}
      <input type="file" accept="image/*" @change=${(event) => picked(event, onPhoto)} />
    </label>
    ${camera.on
      ? html`<button class="primary" @click=${() => void shutter(onPhoto)}>
          ${icon("camera")} ${t("capture.shutter")}
        </button>`
      : html`<label class="button primary">
          ${icon("camera")} ${t("capture.cameraApp")}
          <input
            type="file"
            accept="image/*"
            capture="environment"
            @change=${(event) => picked(event, onPhoto)}
          />
        </label>`}
  </div>
`;

const withoutView = (camera, instead) => html`
  ${camera.problem
    ? html`<p class="message">
        ${icon("camera")}<span>${t(`camera.${camera.problem}`)}</span>
      </p>`
    : nothing}
  ${instead()}
`;

/** Hand on the first file that was picked, and be ready for the same one again. */
function picked(event, onFile) {
  const [file] = event.target.files;
  event.target.value = "";
  if (file) void onFile(file);
}
