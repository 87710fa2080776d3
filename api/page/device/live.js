/**
 * The live view: frames go to the service, light readings come back, the shutter falls by itself.
 *
 * At most two frames are under way: one being read, one on its way, so that the newest is read
 * and nothing queues up.
 */

import { socket } from "../service/api.js";
import { picture } from "./camera.js";
import { state, update } from "../shell/store.js";

const FRAME_SIDE = 640;
const FRAME_QUALITY = 0.7;
const FRAME_MS = 70;
const UNDER_WAY = 2;
const PATIENCE_MS = 1_000; // a frame without an answer for so long was skipped
const RETRY_MS = 2_000;

/** So many answers in a row, alike, certain and still, release the shutter. */
export const STILL_ANSWERS = 4;

let current = null;

/**
 * Follow the camera; `greeting` tells who asks, and whose tray it is. `onCertain()` is called once, when the reading is certain and still, and is
 * of a position that is wanted; `positionIn(answer)` finds it.
 */
export function startLive({ name = "live", path = {}, greeting = {}, wants = () => true, positionIn, onCertain }) {
  stopLive();
  current = { name, path, greeting, wants, positionIn, onCertain, under: 0, sentAt: 0, line: null, timer: 0 };
  connect(current);
}

/** Follow it no more. */
export function stopLive() {
  const live = current;
  current = null;
  clearInterval(live?.timer);
  live?.line?.close();
}

function connect(live) {
  live.line = socket(live.name, live.path);
  live.under = 0;
  live.line.addEventListener("open", () => {
    live.line.send(JSON.stringify(live.greeting));
    live.timer = setInterval(() => void sendFrame(live), FRAME_MS);
  });
  live.line.addEventListener("message", ({ data }) => receive(live, JSON.parse(data)));
  live.line.addEventListener("close", () => {
    clearInterval(live.timer);
    update("camera", { seen: null, still: 0 });
    if (live === current) setTimeout(() => live === current && connect(live), RETRY_MS);
  });
}

async function sendFrame(live) {
  const waits = live.under >= UNDER_WAY && performance.now() - live.sentAt < PATIENCE_MS;
  if (live !== current || waits || !state.camera.on) return;
  live.under += 1;
  live.sentAt = performance.now();
  const { blob, width, height } = await picture(FRAME_SIDE, FRAME_QUALITY);
  if (!blob || live.line.readyState !== WebSocket.OPEN) return;
  live.size = [width, height];
  live.line.send(blob);
}

function receive(live, answer) {
  if (live !== current) return;
  live.under = 0;
  if (answer.problem) {
    update("camera", { problem: "busy" });
    stopLive();
    return;
  }
  const position = live.positionIn(answer);
  const seen = { ...answer, position, size: live.size, wanted: live.wants(position) };
  const alike = answer.certain && answer.still && position === state.camera.seen?.position;
  const still = alike && seen.wanted ? state.camera.still + 1 : 0;
  update("camera", { seen, still });
  if (still >= STILL_ANSWERS) {
    stopLive();
    live.onCertain();
  }
}
