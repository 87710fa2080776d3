/** Questions that are asked again and again, while one taps: only the newest answer counts. */

import { ApiError } from "./api.js";

/**
 * A way to ask: `ask()` is called, `then(answer)` or `refused(error)` gets what comes of it, unless
 * something was asked since. Without `ask` nothing is asked, and what is under way is dropped.
 */
export function newestOnly() {
  let turn = 0;
  return async (ask = null, then = null, refused = () => {}) => {
    const mine = ++turn;
    if (!ask) return;
    try {
      const answer = await ask();
      if (mine === turn) then(answer);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (mine === turn) refused(error);
    }
  };
}
