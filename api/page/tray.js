/** A player's tray on its way to the table: photographed or tapped in, looked over, sent. */

import { ApiError, call, photoForm } from "./api.js";
import { draftAt, dropDraft, keepDraft } from "./drafts.js";
import { cells, changed, count, NO_SPHERES, SEATS } from "./parts/board.js";
import { roundOf } from "./parts/phase.js";
import { prepareShot } from "./shot.js";
import { state, update } from "./store.js";
import { act } from "./table.js";

/** Photos of one tray that are read together. */
export const MOST_PHOTOS = 4;

let asked = 0;

/** A tray of which nothing is known yet. */
const untouched = (place) => ({
  ...place,
  shots: [],
  reading: null,
  /** What counts at the table; null if nothing was sent in. */
  sent: null,
  /** What is seen here: as sent, with corrections that are not sent yet. */
  layout: null,
  earlier: [],
  score: null,
  busy: false,
  /** Why a photo gave nothing. */
  missed: null,
  /** Whether the next photo is a further angle of the same tray. */
  angle: false,
});

const placeOf = ({ id, n, player }) => `${id}/${n}/${player}`;

/** Take up a player's tray in a round, with what was entered before. */
export function takeUp({ id, n, player }) {
  const place = { id, n: Number(n), player };
  if (state.tray && placeOf(state.tray) === placeOf(place)) return;
  update("tray", untouched(place));
  followTable();
  const draft = draftAt(placeOf(place));
  if (draft) update("tray", { layout: draft.layout, earlier: draft.earlier });
  void rescore();
}

/** Take over what counts at the table, unless something is being entered here. */
export function followTable() {
  const { tray, table } = state;
  const there = tray && roundOf(table?.now, tray.n)?.trays[tray.player];
  if (!there || tray.busy) return;
  const sent = there.layout ?? there.reading?.layout ?? null;
  if (sent === tray.sent && Boolean(tray.reading) === Boolean(there.reading)) return;
  const edited = tray.earlier.length > 0;
  update("tray", {
    sent,
    reading: there.reading,
    ...(edited ? {} : { layout: sent }),
  });
  if (!edited) void rescore();
}

/** The photos of a tray: taken here, or kept by the service. */
export function shotsOf(tray) {
  if (tray.shots.length > 0) return tray.shots;
  const sent = roundOf(state.table?.now, tray.n)?.trays[tray.player];
  return (sent?.photos ?? []).flatMap(({ url }) => state.pictures[url] ?? []);
}

/**
 * Send in a photo of the tray, a further angle together with those before; whether it was read.
 * Null if another tray was taken up meanwhile: what was read is that player's own, and at the table.
 */
export async function sendPhoto(blob) {
  const { n, player, angle } = state.tray;
  const place = placeOf(state.tray);
  const before = angle ? shotsOf(state.tray).slice(0, MOST_PHOTOS - 1) : [];
  update("tray", { busy: true, missed: null });
  const form = photoForm([...before.map((shot) => shot.blob), blob]);
  const [answer, shot] = await Promise.all([
    act("sendTray", { path: { number: n, player }, form }),
    prepareShot(blob),
  ]);
  if (placeOf(state.tray) !== place) return null;
  const reading = answer?.reading ?? null;
  if (!reading?.layout) {
    update("tray", { busy: false, missed: reading?.status ?? "failed" });
    return false;
  }
  dropDraft(place);
  update("tray", {
    busy: false,
    angle: false,
    shots: [...before, shot],
    reading,
    sent: reading.layout,
    layout: reading.layout,
    earlier: [],
  });
  await rescore();
  return true;
}

/** Go on without a photo: the layout is tapped in. */
export function tapIn() {
  if (state.tray.layout === null) edit(NO_SPHERES, []);
}

/** Put another letter on a seat. */
export function correctSeat(seat, letter) {
  const { layout, earlier } = state.tray;
  edit(changed(layout, seat, letter), [...earlier, layout]);
}

/** Take the last change back. */
export function undoSeat() {
  const { earlier } = state.tray;
  if (earlier.length > 0) edit(earlier.at(-1), earlier.slice(0, -1));
}

function edit(layout, earlier) {
  update("tray", { layout, earlier });
  keepDraft(placeOf(state.tray), { layout, earlier });
  void rescore();
}

/** Let what is seen here count at the table; whether it does. */
export async function confirmTray(reason = "") {
  const { n, player, layout, sent } = state.tray;
  const path = { number: n, player };
  if (layout !== sent) {
    const answer =
      sent === null
        ? await act("sendTray", { path, json: { layout } })
        : await act("correctTray", { path, json: { seats: difference(sent, layout), reason } });
    if (!answer) return false;
  }
  dropDraft(placeOf(state.tray));
  update("tray", { sent: layout, earlier: [] });
  return true;
}

/** The seats on which two layouts differ, as the second has them. */
function difference(before, after) {
  const [old, now] = [cells(before), cells(after)];
  return Object.fromEntries(
    SEATS.filter((seat) => old[seat] !== now[seat]).map((seat) => [seat, now[seat]]),
  );
}

/** What the layout is worth as it stands; an answer that is out of date by then is dropped. */
async function rescore() {
  const turn = ++asked;
  const { layout, n } = state.tray;
  const round = roundOf(state.table?.now, n);
  if (!layout || !round) return update("tray", { score: null });
  try {
    const score = await call("score", { json: question(layout, round) });
    if (turn === asked && state.tray) update("tray", { score });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return undefined;
}

/** The question what a layout is worth at this table. */
function question(layout, round) {
  const { settings, players } = state.table.now;
  const others = Object.entries(round.trays).filter(([player]) => player !== state.tray.player);
  const counts = others.map(([, { score }]) => score?.spheres ?? 0);
  return {
    layout,
    cards: round.cards,
    edition: settings.edition,
    rulings: settings.rulings,
    ...(settings.deck ? { deck: "any" } : {}),
    ...(players.length > 1 ? { most: Math.max(count(layout), ...counts) } : {}),
  };
}
