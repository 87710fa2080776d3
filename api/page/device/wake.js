/** Keeps the screen on, where the browser lets us: during a round nobody wants to tap it awake. */

let wanted = false;
let lock = null;

/** From now on the screen stays on. */
export function stayAwake() {
  wanted = true;
  void take();
}

/** The screen may go dark again. */
export function maySleep() {
  wanted = false;
  void lock?.release();
  lock = null;
}

async function take() {
  if (!wanted || lock || document.visibilityState !== "visible") return;
  try {
    lock = (await navigator.wakeLock?.request("screen")) ?? null;
    lock?.addEventListener("release", () => {
      lock = null;
    });
  } catch {
    // Low battery, or not allowed: the round goes on without it.
  }
}

document.addEventListener("visibilitychange", () => void take());
