/** Shows the screen that the address names. */

import { routeOf } from "./routes.js";
import { state, update } from "./store.js";

let turns = 0;

/** Go to an address, such as "/photo/cards". */
export function go(address, { replace = false } = {}) {
  if (`#${address}` === location.hash) return;
  if (replace) location.replace(`#${address}`);
  else location.hash = address;
}

/** Begin to follow the address. */
export async function startRouter() {
  addEventListener("hashchange", () => void follow());
  await follow();
}

async function follow() {
  const turn = ++turns;
  const { route, params } = routeOf(location.hash.slice(1));
  const screen = await route.load();
  if (turn !== turns) return; // another address was taken while this one was loading
  if (state.route.screen !== screen) state.route.screen?.leave?.();
  update("sheet", null);
  update("route", { name: route.name, params, screen });
  await screen.enter?.(params);
}
