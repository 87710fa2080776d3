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

export const ROUTES = [
  { path: "/", name: "home", load: () => import("./screens/home.js") },
  { path: "/photo", name: "capture", load: () => import("./screens/capture.js") },
  { path: "/photo/angle", name: "angle", load: () => import("./screens/capture.js") },
  { path: "/photo/reading", name: "review", load: () => import("./screens/review.js") },
  { path: "/photo/cards", name: "cards", load: () => import("./screens/cards.js") },
  { path: "/photo/verdict", name: "verdict", load: () => import("./screens/verdict.js") },
  { path: "/table/new", name: "setup", load: () => import("./screens/table/setup.js") },
  { path: "/join", name: "join", load: () => import("./screens/table/join.js") },
  { path: "/join/:code", name: "join", load: () => import("./screens/table/join.js") },
  { path: "/games", name: "games", load: () => import("./screens/table/games.js") },
  { path: "/table/:id", name: "play", load: () => import("./screens/table/play.js") },
  { path: "/table/:id/devices", name: "devices", load: () => import("./screens/table/devices.js") },
  { path: "/table/:id/start", name: "start", load: () => import("./screens/table/start.js") },
  { path: "/table/:id/start/:player", name: "start", load: () => import("./screens/table/start.js") },
  { path: "/table/:id/cards", name: "reveal", load: () => import("./screens/table/cards.js") },
  { path: "/table/:id/score", name: "score", load: () => import("./screens/table/score.js") },
  { path: "/table/:id/round/:n", name: "judge", load: () => import("./screens/table/judge.js") },
  {
    path: "/table/:id/round/:n/photo/:player",
    name: "tray-photo",
    load: () => import("./screens/table/photo.js"),
  },
  {
    path: "/table/:id/round/:n/tray/:player",
    name: "tray",
    load: () => import("./screens/table/tray.js"),
  },
  { path: "/table/:id/dispute/:d", name: "dispute", load: () => import("./screens/table/dispute.js") },
  {
    path: "/table/:id/dispute/:d/photo",
    name: "dispute-photo",
    load: () => import("./screens/table/dispute-photo.js"),
  },
  { path: "/settings", name: "settings", load: () => import("./screens/settings.js") },
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
