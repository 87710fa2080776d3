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
