/** A player's tray on its way to the table: photographed or tapped in, looked over, sent. */

import { draftAt, dropDraft, keepDraft } from "../../device/drafts.js";
import { prepareShot } from "../../device/shot.js";
import { gameAt } from "../../games/index.js";
import { edited, undone } from "../../parts/edits.js";
import { call, photoForm } from "../../service/api.js";
import { newestOnly } from "../../service/newest.js";
import { state, update } from "../../shell/store.js";
import { roundOf } from "../../table/phase.js";
import { act } from "../../table/table.js";

/** Photos of one tray that are read together. */
export const MOST_PHOTOS = 4;

const newestScore = newestOnly();

/** A tray of which nothing is known yet. */
const untouched = (place) => ({
  ...place,
  shots: [],
  reading: null,
  /** What counts at the table; null if nothing was sent in. */
  sent: null,
  /** What is seen here: as sent, with corrections that are not sent yet. */
  position: null,
  earlier: [],
  score: null,
  busy: false,
  /** Why a photo gave nothing. */
  missed: null,
  /** Whether the next photo is a further angle of the same tray. */
  angle: false,
});

const placeOf = ({ id, n, player }) => `${id}/${n}/${player}`;
const gameHere = () => gameAt(state.table.now);
const atTable = ({ n, player }) => roundOf(state.table?.now, n)?.trays[player];

/** Take up a player's tray in a round, with what was entered before. */
export function takeUp({ id, n, player }) {
  const place = { id, n: Number(n), player };
  if (state.tray && placeOf(state.tray) === placeOf(place)) return;
  update("tray", untouched(place));
  followTable();
  const draft = draftAt(placeOf(place));
  if (draft) edit({ position: draft.position ?? draft.layout, earlier: draft.earlier });
}

/** Take over what counts at the table, unless something is being entered here. */
export function followTable() {
  const { tray } = state;
  const there = tray && atTable(tray);
  if (!there || tray.busy) return;
  const game = gameHere();
  const sent = game.positionIn(there) ?? game.positionIn(there.reading);
  if (sent === tray.sent && Boolean(tray.reading) === Boolean(there.reading)) return;
  const edits = tray.earlier.length > 0;
  update("tray", { sent, reading: there.reading, ...(edits ? {} : { position: sent }) });
  if (!edits) showScore(there);
}

/** What was sent in has been scored at the table: no need to ask again. */
function showScore({ score, problems }) {
  void newestScore(); // what was asked before is out of date
  update("tray", { score: { points: null, ...score, problems } });
}

/** The photos of a tray: taken here, or kept by the service. */
export function shotsOf(tray) {
  if (tray.shots.length > 0) return tray.shots;
  return (atTable(tray)?.photos ?? []).flatMap(({ url }) => state.pictures[url] ?? []);
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
  const position = gameHere().positionIn(reading);
  if (!position) {
    update("tray", { busy: false, missed: reading?.status ?? "failed" });
    return false;
  }
  dropDraft(place);
  const shots = [...before, shot];
  update("tray", { busy: false, angle: false, shots, reading, sent: position, position, earlier: [] });
  showScore(answer.tray);
  return true;
}

/** Go on without a photo: what lies there is tapped in. */
export function tapIn() {
  if (state.tray.position === null) edit({ position: gameHere().NO_POSITION, earlier: [] });
}

/** Put something else on a place. */
export const correctPlace = (place, letter) =>
  edit(edited(state.tray, gameHere().changed(state.tray.position, place, letter)));

/** Take the last change back. */
export const undoPlace = () => edit(undone(state.tray));

function edit({ position, earlier }) {
  update("tray", { position, earlier });
  keepDraft(placeOf(state.tray), { position, earlier });
  rescore();
}

/** Let what is seen here count at the table; whether it does. */
export async function confirmTray(reason = "") {
  const { n, player, position, sent } = state.tray;
  const path = { number: n, player };
  const game = gameHere();
  if (position !== sent) {
    const answer =
      sent === null
        ? await act("sendTray", { path, json: game.submission(position) })
        : await act("correctTray", { path, json: { ...game.correction(sent, position), reason } });
    if (!answer) return false;
  }
  dropDraft(placeOf(state.tray));
  update("tray", { sent: position, earlier: [] });
  return true;
}

/** What the position is worth as it stands. */
function rescore() {
  const { position, n, player } = state.tray;
  const { now } = state.table ?? {};
  const round = roundOf(now, n);
  if (!position || !round) {
    update("tray", { score: null });
    return newestScore();
  }
  return newestScore(
    () => call("score", { json: gameAt(now).trayQuestion(now, round, player, position) }),
    (score) => state.tray && update("tray", { score }),
  );
}
