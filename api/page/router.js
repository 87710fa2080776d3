/** Shows the screen that the address names. */

import { connectionLost, untilConnected } from "./connection.js";
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
  const screen = await loaded(route);
  if (turn !== turns) return; // another address was taken while this one was loading
  if (state.route.screen !== screen) state.route.screen?.leave?.();
  update("sheet", null);
  update("route", { name: route.name, params, screen });
  await screen.enter?.(params);
}

/** A route's screen and all that goes with it. */
function loaded(route) {
  const more = async () => route.name !== "home" && (await import("./more.js")).loadMore();
  return untilLoaded(async () => (await Promise.all([route.load(), more()]))[0]);
}

/** What `load` imports, as soon as the service gives the files. */
export async function untilLoaded(load) {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // what browsers throw for lost files
      connectionLost();
      await untilConnected();
    }
  }
}
