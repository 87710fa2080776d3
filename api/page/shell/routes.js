/**
 * The screens and their addresses (after `#`). A screen is loaded when it is first shown.
 *
 * A screen is a module with
 *   title(params)          the name of the screen, for the browser's tab and for screen readers
 *   view(state, params)    what it shows: a lit-html template, a function of the state
 *   enter(params)?         called when it is shown, before the first view; may redirect by `go`
 *   shown(root, params)?   called after each view, with the <main> element (for canvas, video)
 *   leave()?               called when another screen takes over
 */

import { GAME_ROUTES, knowsGame, loadGame } from "../games/index.js";
import { knownTable } from "../table/known-tables.js";
import { state } from "./store.js";

const both = async (screen, game) => (await Promise.all([screen, game]))[0];

/** A screen that shows a game without a table: the game comes with it. */
const withGame = (load) => () => both(load(), loadGame(state.photo.game));

/** A screen at a table: its game comes with it, as far as it is known by then. */
const atTable = (load) => (params) => {
  const game = knownTable(params.id)?.game;
  return both(load(), knowsGame(game) ? loadGame(game) : null);
};

const ROUTES = [
  { path: "/", name: "home", load: () => import("../screens/home.js") },
  { path: "/photo", name: "capture", load: withGame(() => import("../screens/photo/capture.js")) },
  { path: "/photo/angle", name: "angle", load: withGame(() => import("../screens/photo/capture.js")) },
  { path: "/photo/reading", name: "review", load: withGame(() => import("../screens/photo/review.js")) },
  { path: "/photo/cards", name: "cards", load: withGame(() => import("../screens/photo/cards.js")) },
  { path: "/photo/verdict", name: "verdict", load: withGame(() => import("../screens/photo/verdict.js")) },
  { path: "/settings", name: "settings", load: withGame(() => import("../screens/settings.js")) },
  { path: "/table/new", name: "setup", load: withGame(() => import("../screens/setup/setup.js")) },
  { path: "/join", name: "join", load: () => import("../screens/join/join.js") },
  { path: "/join/:code", name: "join", load: () => import("../screens/join/join.js") },
  { path: "/games", name: "games", load: () => import("../screens/past-games/past-games.js") },
  { path: "/table/:id", name: "play", load: atTable(() => import("../screens/round/play.js")) },
  { path: "/table/:id/devices", name: "devices", load: atTable(() => import("../screens/lobby/devices.js")) },
  { path: "/table/:id/score", name: "score", load: atTable(() => import("../screens/score/score.js")) },
  { path: "/table/:id/round/:n", name: "judge", load: atTable(() => import("../screens/round/judge.js")) },
  {
    path: "/table/:id/round/:n/photo/:player",
    name: "tray-photo",
    load: atTable(() => import("../screens/round/tray-photo.js")),
  },
  {
    path: "/table/:id/round/:n/tray/:player",
    name: "tray",
    load: atTable(() => import("../screens/round/tray.js")),
  },
  { path: "/table/:id/dispute/:d", name: "dispute", load: atTable(() => import("../screens/dispute/dispute.js")) },
  {
    path: "/table/:id/dispute/:d/photo",
    name: "dispute-photo",
    load: atTable(() => import("../screens/dispute/dispute-photo.js")),
  },
  ...GAME_ROUTES.map((route) => ({ ...route, load: atTable(route.load) })),
];

/** The route of an address and its parameters; home for what is no address. */
export function routeOf(address) {
  const parts = address.split("/").filter(Boolean);
  for (const route of ROUTES) {
    const pattern = route.path.split("/").filter(Boolean);
    if (pattern.length !== parts.length) continue;
    if (!pattern.every((part, i) => part.startsWith(":") || part === parts[i])) continue;
    const named = pattern.flatMap((part, i) =>
      part.startsWith(":") ? [[part.slice(1), decodeURIComponent(parts[i])]] : [],
    );
    return { route, params: Object.fromEntries(named) };
  }
  return { route: ROUTES[0], params: {} };
}
