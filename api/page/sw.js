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
  "device/camera.js",
  "device/drafts.js",
  "device/filming.js",
  "device/live.js",
  "device/shot.js",
  "device/sound.js",
  "device/speech.js",
  "device/wake.js",
  "games/dimension/board.js",
  "games/dimension/card-code.js",
  "games/dimension/cards/card-strip.js",
  "games/dimension/cards/deck.js",
  "games/dimension/cards/picker.js",
  "games/dimension/cards/reveal-actions.js",
  "games/dimension/cards/table-cards.js",
  "games/dimension/cards/tap-in.js",
  "games/dimension/coins.js",
  "games/dimension/colors.js",
  "games/dimension/drawings.css",
  "games/dimension/drawings/card.js",
  "games/dimension/drawings/hourglass.js",
  "games/dimension/drawings/how-to-hold.js",
  "games/dimension/drawings/layout.js",
  "games/dimension/drawings/outlines.js",
  "games/dimension/drawings/overlay.js",
  "games/dimension/drawings/sphere.js",
  "games/dimension/entry.js",
  "games/dimension/game.js",
  "games/dimension/hint.js",
  "games/dimension/names.js",
  "games/dimension/panels.css",
  "games/dimension/questions.js",
  "games/dimension/reading/doubts.js",
  "games/dimension/reading/reading-words.js",
  "games/dimension/reading/review.js",
  "games/dimension/round.css",
  "games/dimension/round/build.js",
  "games/dimension/round/hourglass-signals.js",
  "games/dimension/round/judge.js",
  "games/dimension/round/revealed.js",
  "games/dimension/round/stages.js",
  "games/dimension/round/sum.js",
  "games/dimension/rulings.js",
  "games/dimension/samples/bright.webp",
  "games/dimension/samples/lamp.webp",
  "games/dimension/samples/pyramid.webp",
  "games/dimension/samples/sun.webp",
  "games/dimension/score.js",
  "games/dimension/setup.js",
  "games/dimension/start-photos/drawings.js",
  "games/dimension/start-photos/measuring.js",
  "games/dimension/start-photos/panel.js",
  "games/dimension/start-photos/start-photo.js",
  "games/dimension/texts/de.js",
  "games/dimension/texts/en.js",
  "games/dimension/verdict.js",
  "games/index.js",
  "i18n/first/de.js",
  "i18n/first/en.js",
  "i18n/index.js",
  "i18n/photo/de.js",
  "i18n/photo/en.js",
  "i18n/table/de.js",
  "i18n/table/en.js",
  "icons/icon-48.png",
  "icons/icon.svg",
  "main.js",
  "manifest.webmanifest",
  "parts/capture.js",
  "parts/edits.js",
  "parts/icons.js",
  "parts/numbers.js",
  "parts/options.js",
  "parts/parts.css",
  "parts/person.js",
  "parts/photo.css",
  "parts/photo.js",
  "parts/pin.js",
  "parts/refusal.js",
  "parts/viewfinder.js",
  "parts/worth.js",
  "screens/dispute/claims.js",
  "screens/dispute/dispute-button.js",
  "screens/dispute/dispute-photo.js",
  "screens/dispute/dispute.css",
  "screens/dispute/dispute.js",
  "screens/dispute/disputing.js",
  "screens/home.js",
  "screens/join/join.css",
  "screens/join/join.js",
  "screens/join/joining.js",
  "screens/lobby/devices.js",
  "screens/lobby/invite.js",
  "screens/lobby/lobby.css",
  "screens/lobby/lobby.js",
  "screens/lobby/roster.js",
  "screens/past-games/past-games.css",
  "screens/past-games/past-games.js",
  "screens/past-games/plot.js",
  "screens/photo/capture.js",
  "screens/photo/cards.js",
  "screens/photo/not-read.js",
  "screens/photo/photo.css",
  "screens/photo/review.js",
  "screens/photo/scoring.js",
  "screens/photo/steps.js",
  "screens/photo/verdict.js",
  "screens/round/between.js",
  "screens/round/collect.js",
  "screens/round/judge.js",
  "screens/round/lock.js",
  "screens/round/play.js",
  "screens/round/round.css",
  "screens/round/sending.js",
  "screens/round/tray-photo.js",
  "screens/round/tray.js",
  "screens/score/result.js",
  "screens/score/score-table.js",
  "screens/score/score.css",
  "screens/score/score.js",
  "screens/settings.js",
  "screens/setup/choices.js",
  "screens/setup/setup.css",
  "screens/setup/setup.js",
  "service/api.js",
  "service/connection.js",
  "service/endpoints.js",
  "service/events.js",
  "service/newest.js",
  "shell/first.css",
  "shell/router.js",
  "shell/routes.js",
  "shell/settings.js",
  "shell/shell.js",
  "shell/store.js",
  "shell/styles.js",
  "shell/theme.css",
  "table/clock.js",
  "table/frame.js",
  "table/invitation.js",
  "table/known-tables.js",
  "table/phase.js",
  "table/pictures.js",
  "table/saving.js",
  "table/table.css",
  "table/table.js",
  "trust/alarm.js",
  "trust/chain.js",
  "trust/keeping.js",
  "trust/seal.js",
  "trust/sha256.js",
  "trust/trust.css",
  "trust/watching.js",
  "trust/words.js",
  "vendor/lit-html.js",
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
