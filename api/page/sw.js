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
  "clock.js",
  "connection.js",
  "deck.js",
  "disputing.js",
  "drafts.js",
  "endpoints.js",
  "events.js",
  "filming.js",
  "first.css",
  "hourglass-signals.js",
  "i18n/cards.js",
  "i18n/de-photo.js",
  "i18n/de-table.js",
  "i18n/de.js",
  "i18n/en-photo.js",
  "i18n/en-table.js",
  "i18n/en.js",
  "i18n/index.js",
  "icons/icon-48.png",
  "icons/icon.svg",
  "invitation.js",
  "joining.js",
  "live.js",
  "main.js",
  "manifest.webmanifest",
  "more.js",
  "parts.css",
  "parts/alarm.js",
  "parts/board.js",
  "parts/capture.js",
  "parts/card-code.js",
  "parts/card.js",
  "parts/claims.js",
  "parts/coins.js",
  "parts/colors.js",
  "parts/doubt-it.js",
  "parts/doubts.js",
  "parts/files.js",
  "parts/hint.js",
  "parts/hourglass.js",
  "parts/how-to-hold.js",
  "parts/icons.js",
  "parts/invite.js",
  "parts/layout.js",
  "parts/measured.js",
  "parts/options.js",
  "parts/overlay.js",
  "parts/people.js",
  "parts/phase.js",
  "parts/picker.js",
  "parts/pin.js",
  "parts/plot.js",
  "parts/reading-words.js",
  "parts/refusal.js",
  "parts/refused.js",
  "parts/review.js",
  "parts/roster.js",
  "parts/rulings.js",
  "parts/scoreboard.js",
  "parts/seal.js",
  "parts/sphere.js",
  "parts/start-photos.js",
  "parts/steps.js",
  "parts/switches.js",
  "parts/table-cards.js",
  "parts/table-frame.js",
  "parts/verdict-nav.js",
  "parts/verdict.js",
  "parts/viewfinder.js",
  "photo.js",
  "pictures.js",
  "router.js",
  "routes.js",
  "sample.js",
  "samples.js",
  "samples/bright.webp",
  "samples/lamp.webp",
  "samples/pyramid.webp",
  "samples/sun.webp",
  "saving.js",
  "screens.css",
  "screens/capture.js",
  "screens/cards.js",
  "screens/home.js",
  "screens/review.js",
  "screens/settings.js",
  "screens/table/between.js",
  "screens/table/build.js",
  "screens/table/cards.js",
  "screens/table/collect.js",
  "screens/table/devices.js",
  "screens/table/dispute-photo.js",
  "screens/table/dispute.js",
  "screens/table/games.js",
  "screens/table/join.js",
  "screens/table/judge.js",
  "screens/table/lobby.js",
  "screens/table/photo.js",
  "screens/table/play.js",
  "screens/table/result.js",
  "screens/table/reveal-actions.js",
  "screens/table/revealed.js",
  "screens/table/score.js",
  "screens/table/setup.js",
  "screens/table/start.js",
  "screens/table/sum.js",
  "screens/table/tray.js",
  "screens/verdict.js",
  "settings.js",
  "setup.js",
  "shell.js",
  "shot.js",
  "sound.js",
  "speech.js",
  "start-photos.js",
  "store.js",
  "table.css",
  "table.js",
  "tables.js",
  "theme.css",
  "tray.js",
  "trust/chain.js",
  "trust/keeping.js",
  "trust/sha256.js",
  "trust/watching.js",
  "trust/words.js",
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
  const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
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
