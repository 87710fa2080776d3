/** What the hourglass does beside being seen: it calls everybody, warns at ten seconds, and ends. */

import { WARNING_S } from "../drawings/hourglass.js";
import { go } from "../../../shell/router.js";
import { allowSound, buzz, soundEnd, soundTick, soundWarning } from "../../../device/sound.js";
import { state, subscribe } from "../../../shell/store.js";

const LAST_TICKS = 3;
const ASIDE = ["score", "devices", "judge"]; // screens that are left when the hourglass is turned

let before = null;
let watching = false;

/** Follow the hourglass of the table at hand, from the first table of a visit on. */
export function followClock() {
  if (watching) return;
  watching = true;
  allowSound();
  subscribe(signal);
}

function signal() {
  const left = state.clock.left;
  const now = left === null ? null : Math.ceil(left);
  if (now === before) return;
  const [was, ran] = [before, before !== null && before > 0];
  before = now;
  if (now === null) return;
  if (now > 0 && !ran) callEverybody();
  if (!ran || now > was) return;
  if (was > WARNING_S && now <= WARNING_S && now > 0) alarm(soundWarning, [120, 80, 120]);
  else if (now > 0 && now <= LAST_TICKS) alarm(soundTick, [40]);
  else if (now === 0) alarm(soundEnd, [400, 120, 400]);
}

function alarm(sound, pattern) {
  sound();
  buzz(pattern);
}

/** Whoever is looking at the score meanwhile sees that it has begun. */
function callEverybody() {
  const { id } = state.table ?? {};
  if (id && ASIDE.includes(state.route.name)) go(`/table/${id}`);
}
