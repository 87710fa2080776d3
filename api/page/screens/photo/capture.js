/** Capture: a photo by the live view, by the camera app, or from a file; or a further angle. */

import { showIn } from "../../device/camera.js";
import { startFilming, stopFilming } from "../../device/filming.js";
import { maySleep } from "../../device/wake.js";
import { t } from "../../i18n/index.js";
import { capturePanel } from "../../parts/capture.js";
import { go } from "../../shell/router.js";
import { state } from "../../shell/store.js";
import { html } from "../../vendor/lit-html.js";
import { addAngle, enterByHand, photoGame, scorePhotos } from "./scoring.js";
import { steps } from "./steps.js";

const isAngle = () => state.route.name === "angle";

export const title = () => t(isAngle() ? "capture.angle" : "capture.title");

export async function enter() {
  if (isAngle() && state.photo.shots.length === 0) return go("/photo", { replace: true });
  return startFilming(taken, { positionIn: photoGame().positionIn });
}

export function leave() {
  stopFilming();
  maySleep();
}

export const shown = (main) => showIn(main.querySelector("video"));

export const view = ({ photo, camera }) => html`
  ${steps(photo, "photo")}
  <h1 tabindex="-1">${title()}</h1>
  ${capturePanel({ game: photoGame(), camera, onPhoto: taken, onByHand: isAngle() ? null : byHand })}
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
