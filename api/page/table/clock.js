/**
 * The service's clock on this device, so that every device shows the same second.
 *
 * Each answer tells the service's time: how far ours is off lies between two bounds, which every
 * answer can only bring closer.
 */

import { state, update } from "../shell/store.js";

const TICK_MS = 200;

let low = -Infinity; // by how many milliseconds the service's clock is ahead of ours: at least,
let high = Infinity; // and at most
let timer = 0;
let endsAt = null;

/**
 * Learn from the service's time in an answer that came now; `askedAt`: when it was asked for, null if
 * it was sent by itself. The service wrote it after it was asked and before it came.
 */
export function setClock(serverSeconds, askedAt, cameAt) {
  const least = serverSeconds * 1000 - cameAt;
  const most = askedAt === null ? Infinity : serverSeconds * 1000 - askedAt;
  if (least > high || most < low) [low, high] = [least, most]; // a clock was set
  else [low, high] = [Math.max(low, least), Math.min(high, most)];
}

/** By how much it is ahead: the middle of what is possible. */
function offset() {
  if (low === -Infinity) return 0; // nothing came yet
  return high === Infinity ? low : (low + high) / 2;
}

/** The service's time now, in seconds. */
export const serverNow = () => (Date.now() + offset()) / 1000;

/** Count down to a time of the service, in `state.clock.left`; null stops. */
export function countTo(time) {
  if (time === endsAt) return;
  endsAt = time;
  clearTimeout(timer);
  if (time === null) update("clock", { left: null });
  else tick();
}

/** Ticks fall on whole seconds, whenever else they fall: digits change everywhere at once. */
function tick() {
  const left = endsAt - serverNow();
  if (left <= 0) return update("clock", { left: 0 });
  if (state.clock.left !== left) update("clock", { left });
  const untilSecond = 1000 * (left - Math.floor(left)) + 1;
  timer = setTimeout(tick, Math.min(TICK_MS, untilSecond));
  return undefined;
}
