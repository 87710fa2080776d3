/** Capture: a photo by the live view, by the camera app, or from a file; or a further angle. */

import { canFilm, closeCamera, openCamera, picture, showIn } from "../camera.js";
import { t } from "../i18n/index.js";
import { startLive, stopLive } from "../live.js";
import { picked } from "../parts/files.js";
import { howToHold } from "../parts/how-to-hold.js";
import { icon } from "../parts/icons.js";
import { steps } from "../parts/steps.js";
import { viewfinder } from "../parts/viewfinder.js";
import { addAngle, enterByHand, scorePhotos } from "../photo.js";
import { go } from "../router.js";
import { state } from "../store.js";
import { html, nothing } from "../vendor/lit-html.js";
import { maySleep, stayAwake } from "../wake.js";

const isAngle = () => state.route.name === "angle";

export const title = () => t(isAngle() ? "capture.angle" : "capture.title");

export async function enter() {
  if (isAngle() && state.photo.shots.length === 0) return go("/photo", { replace: true });
  if (!canFilm()) return undefined;
  stayAwake();
  await openCamera();
  if (state.camera.on) startLive({ onCertain: () => void shutter() });
  return undefined;
}

export function leave() {
  stopLive();
  closeCamera();
  maySleep();
}

export function shown(main) {
  showIn(main.querySelector("video"));
}

export const view = ({ photo, camera }) => html`
  ${steps(photo, "photo")}
  <h1 tabindex="-1">${title()}</h1>
  ${camera.on ? viewfinder(camera) : instead(camera)}
  <div class="actions">
    ${isAngle()
      ? nothing
      : html`<button @click=${byHand}>${icon("edit")} ${t("capture.byHand")}</button>`}
    <label class="button">
      ${icon("picture")} ${t("capture.file")}
      <input type="file" accept="image/*" @change=${(event) => picked(event, taken)} />
    </label>
    ${camera.on
      ? html`<button class="primary" @click=${() => void shutter()}>
          ${icon("camera")} ${t("capture.shutter")}
        </button>`
      : html`<label class="button primary">
          ${icon("camera")} ${t("capture.cameraApp")}
          <input
            type="file"
            accept="image/*"
            capture="environment"
            @change=${(event) => picked(event, taken)}
          />
        </label>`}
  </div>
`;

/** What is shown where there is no live view. */
const instead = (camera) => html`
  ${camera.problem ? html`<p class="message">${icon("camera")}<span>${t(`camera.${camera.problem}`)}</span></p>` : nothing}
  ${howToHold()}
`;

async function shutter() {
  stopLive();
  navigator.vibrate?.(40);
  const { blob } = await picture();
  await taken(new File([blob], "camera.jpg", { type: blob.type }));
}

/** Read the photo; where nothing needs a look, go on to the verdict. */
async function taken(photo) {
  const reading = isAngle() ? addAngle(photo) : scorePhotos([photo]);
  go("/photo/reading");
  await reading;
  const { score, reading: read } = state.photo;
  if (read?.status === "certain" && score?.points != null && state.route.name === "review") {
    go("/photo/verdict", { replace: true });
  }
}

function byHand() {
  enterByHand();
  go("/photo/reading");
}
