/**
 * The service's clock on this device, so that every device shows the same second.
 *
 * Each answer tells the service's time; how far ours is off is known best from the answer that
 * took the least time on its way.
 */

import { state, update } from "../shell/store.js";

const TICK_MS = 200;

let offset = 0; // milliseconds that the service's clock is ahead of ours
let leastDelay = Infinity;
let timer = 0;
let endsAt = null;

/** Learn from an answer that was asked for and came at these times of ours, in milliseconds. */
export function setClock(serverSeconds, askedAt, cameAt) {
  const delay = cameAt - askedAt;
  if (delay > leastDelay + 20) return;
  leastDelay = delay;
  offset = serverSeconds * 1000 - (askedAt + cameAt) / 2;
}

/** The service's time now, in seconds. */
export const serverNow = () => (Date.now() + offset) / 1000;

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
