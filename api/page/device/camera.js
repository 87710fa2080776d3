/** The device's camera: a stream to look at, and pictures taken from it. */

import { state, update } from "../shell/store.js";

const WANTED = { video: { facingMode: "environment", width: { ideal: 2560 }, height: { ideal: 1920 } } };

let stream = null;
let opening = 0;
const film = document.createElement("video"); // what pictures are taken from, whatever is shown
film.muted = true;
film.playsInline = true;

/** Whether this page may ask for a camera: only where it came over https or from this device. */
export const canFilm = () => Boolean(navigator.mediaDevices?.getUserMedia);

/** Open the camera; `state.camera` tells whether it is on, or why not. */
export async function openCamera() {
  const turn = ++opening;
  try {
    const opened = await navigator.mediaDevices.getUserMedia(WANTED);
    if (turn !== opening) return stopTracks(opened); // left while the browser asked
    stream = opened;
    film.srcObject = stream;
    await film.play();
    update("camera", { on: true, problem: null, seen: null, still: 0 });
  } catch (error) {
    if (turn === opening) update("camera", { on: false, problem: reason(error) });
  }
}

/** Close the camera; its light goes off. */
export function closeCamera() {
  opening += 1;
  if (stream) stopTracks(stream);
  stream = null;
  film.srcObject = null;
  if (state.camera.on) update("camera", { on: false, seen: null, still: 0 });
}

/** Show the camera's picture in a video element. */
export function showIn(video) {
  if (!video || video.srcObject === stream) return;
  video.srcObject = stream;
  if (stream) void video.play().catch(() => {}); // it was taken away meanwhile
}

/** The picture of this moment: {blob, width, height}; `side` limits its longer side. */
export async function picture(side = Infinity, quality = 0.92) {
  const scale = Math.min(1, side / Math.max(film.videoWidth, film.videoHeight));
  const width = Math.round(film.videoWidth * scale);
  const height = Math.round(film.videoHeight * scale);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  canvas.getContext("2d").drawImage(film, 0, 0, width, height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
  return { blob, width, height };
}

function stopTracks(old) {
  for (const track of old.getTracks()) track.stop();
}

const reason = (error) => (error.name === "NotAllowedError" ? "denied" : "none");
