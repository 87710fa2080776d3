/** Shows the screen that the address names. */

import { loadTexts } from "../i18n/index.js";
import { connectionLost, untilConnected } from "../service/connection.js";
import { routeOf } from "./routes.js";
import { state, update } from "./store.js";
import { loadSharedStyles } from "./styles.js";

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
  const screen = await loaded(route, params);
  if (turn !== turns) return; // another address was taken while this one was loading
  if (state.route.screen !== screen) state.route.screen?.leave?.();
  update("sheet", null);
  update("route", { name: route.name, params, screen });
  await screen.enter?.(params);
}

/** A route's screen, and what the first view did without: the words and looks of all screens. */
function loaded(route, params) {
  const more = () => Promise.all([loadTexts("./photo", "./table"), loadSharedStyles()]);
  return untilLoaded(async () => (await Promise.all([route.load(params), route.name === "home" || more()]))[0]);
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
