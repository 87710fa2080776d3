/**
 * Keeps the page itself for moments without a connection. The service's answers are never kept.
 *
 * The network comes first: a page in a living room is served from the next room, and what it says
 * must be what the service of today says. Only when nothing comes is the kept copy shown.
 */

const KEPT = "trayscore-page";
const PATIENCE_MS = 3_000;

/** All files of the page but the sample photos; a test compares the list with the directory. */
const FILES = [
  "./",
  "api.js",
  "camera.js",
  "connection.js",
  "deck.js",
  "endpoints.js",
  "i18n/cards.js",
  "i18n/de.js",
  "i18n/en.js",
  "i18n/index.js",
  "icons/icon.svg",
  "live.js",
  "main.js",
  "manifest.webmanifest",
  "parts.css",
  "parts/board.js",
  "parts/card-code.js",
  "parts/card.js",
  "parts/colors.js",
  "parts/doubts.js",
  "parts/files.js",
  "parts/guidance.js",
  "parts/hourglass.js",
  "parts/how-to-hold.js",
  "parts/icons.js",
  "parts/layout.js",
  "parts/options.js",
  "parts/overlay.js",
  "parts/picker.js",
  "parts/reading-words.js",
  "parts/review.js",
  "parts/rulings.js",
  "parts/sphere.js",
  "parts/steps.js",
  "parts/verdict.js",
  "parts/viewfinder.js",
  "photo.js",
  "router.js",
  "routes.js",
  "sample.js",
  "samples/bright.webp",
  "samples/lamp.webp",
  "samples/pyramid.webp",
  "samples/sun.webp",
  "screens.css",
  "screens/capture.js",
  "screens/cards.js",
  "screens/home.js",
  "screens/review.js",
  "screens/settings.js",
  "screens/verdict.js",
  "settings.js",
  "shell.js",
  "shot.js",
  "speech.js",
  "store.js",
  "theme.css",
  "vendor/lit-html.js",
  "wake.js",
];

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll());
  self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const ours = address.origin === self.location.origin && !address.pathname.startsWith("/v1/");
  if (event.request.method === "GET" && ours) event.respondWith(newest(event.request));
});

async function keepAll() {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES);
}

/** The file as the service has it now, or as it was kept. */
async function newest(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request, { ignoreSearch: true });
  try {
    const signal = kept ? AbortSignal.timeout(PATIENCE_MS) : undefined;
    const response = await fetch(request, { signal });
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
