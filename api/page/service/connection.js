/** Whether the service answers. While it does not, a banner says so and calls wait. */

import { ENDPOINTS } from "./endpoints.js";
import { state, update } from "../shell/store.js";

const [, ADDRESS] = ENDPOINTS.health.split(" ");
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

let waiting = null;

/** A call got through. */
export function connectionSeen() {
  if (!state.connection.online) update("connection", { online: true });
}

/** A call did not get through. */
export function connectionLost() {
  if (state.connection.online) update("connection", { online: false });
}

/** Resolves once the service answers again; rejects if `signal` gives up before. */
export function untilConnected(signal) {
  waiting ??= knock().finally(() => {
    waiting = null;
  });
  if (!signal) return waiting;
  return Promise.race([
    waiting,
    new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    ),
  ]);
}

async function knock() {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await pause(wait);
    try {
      const response = await fetch(ADDRESS, { cache: "no-store" });
      if (response.ok) return connectionSeen();
    } catch {
      // Still away: knock again, more slowly.
    }
  }
}

/** Waits, but not longer than until the device says that it is back on the network. */
function pause(ms) {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    addEventListener("online", done, { once: true });
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    }
  });
}

addEventListener("offline", connectionLost);
addEventListener("online", () => {
  if (!state.connection.online) void untilConnected();
});
