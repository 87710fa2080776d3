/** The camera of a screen that takes photos: opened, followed live, and closed with it. */

import { canFilm, closeCamera, openCamera, picture } from "./camera.js";
import { startLive, stopLive } from "./live.js";
import { buzz } from "./sound.js";
import { state } from "../shell/store.js";
import { stayAwake } from "./wake.js";

/** Open the camera, where there is one; by itself it takes what is certain and still. */
export async function startFilming(onPhoto, live) {
  if (!canFilm()) return;
  stayAwake();
  await openCamera();
  if (state.camera.on && live) startLive({ ...live, onCertain: () => void shutter(onPhoto) });
}

/** Close it. */
export function stopFilming() {
  stopLive();
  closeCamera();
}

/** Take the picture of this moment. */
export async function shutter(onPhoto) {
  stopLive();
  buzz(40);
  const { blob } = await picture();
  await onPhoto(new File([blob], "camera.jpg", { type: blob.type }));
}
