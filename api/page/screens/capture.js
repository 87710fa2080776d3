/** Capture: a photo by the live view, by the camera app, or from a file; or a further angle. */

import { showIn } from "../camera.js";
import { startFilming, stopFilming } from "../filming.js";
import { t } from "../i18n/index.js";
import { capturePanel } from "../parts/capture.js";
import { steps } from "../parts/steps.js";
import { addAngle, enterByHand, scorePhotos } from "../photo.js";
import { go } from "../router.js";
import { state } from "../store.js";
import { html } from "../vendor/lit-html.js";
import { maySleep } from "../wake.js";

const isAngle = () => state.route.name === "angle";

export const title = () => t(isAngle() ? "capture.angle" : "capture.title");

export async function enter() {
  if (isAngle() && state.photo.shots.length === 0) return go("/photo", { replace: true });
  return startFilming(taken);
}

export function leave() {
  stopFilming();
  maySleep();
}

export function shown(main) {
  showIn(main.querySelector("video"));
}

export const view = ({ photo, camera }) => html`
  ${steps(photo, "photo")}
  <h1 tabindex="-1">${title()}</h1>
  ${capturePanel({ camera, onPhoto: taken, onByHand: isAngle() ? null : byHand })}
`;

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
