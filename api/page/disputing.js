/** A dispute on this device: what somebody here holds to lie on the tray, and saying so. */

import { ApiError, call, photoForm } from "./api.js";
import { draftAt, dropDraft, keepDraft } from "./drafts.js";
import { changed } from "./parts/board.js";
import { roundOf } from "./parts/phase.js";
import { state, update } from "./store.js";
import { act } from "./table.js";
import { knownTable } from "./tables.js";

let asked = 0;

/** The dispute with this number. */
export const disputeOf = (now, d) => now?.disputes.find(({ id }) => id === Number(d)) ?? null;

const placeOf = (dispute) => `${state.table.id}/dispute/${dispute.id}`;

/** What is claimed here: the draft, or the layout as it counts. */
export const claimOf = (dispute) =>
  draftAt(placeOf(dispute)) ?? { layout: dispute.layout_before, earlier: [] };

/** Claim that something else lies on a seat. */
export function claimSeat(dispute, seat, letter) {
  const { layout, earlier } = claimOf(dispute);
  claim(dispute, { layout: changed(layout, seat, letter), earlier: [...earlier, layout] });
}

/** Take the last change of the claim back. */
export function undoClaim(dispute) {
  const { earlier } = claimOf(dispute);
  if (earlier.length === 0) return;
  claim(dispute, { layout: earlier.at(-1), earlier: earlier.slice(0, -1) });
}

/** Claim the same as somebody else. */
export const claimLayout = (dispute, layout) =>
  claim(dispute, { layout, earlier: [...claimOf(dispute).earlier, claimOf(dispute).layout] });

function claim(dispute, made) {
  keepDraft(placeOf(dispute), made);
  void scoreClaim(dispute);
}

/** What the claim is worth, in `state.look.claimed`. */
export async function scoreClaim(dispute) {
  const turn = ++asked;
  const { layout } = claimOf(dispute);
  const { now } = state.table;
  const round = roundOf(now, dispute.round);
  const { edition, rulings, deck } = now.settings;
  const json = { layout, cards: round.cards, edition, rulings, ...(deck ? { deck: "any" } : {}) };
  try {
    const claimed = await call("score", { json });
    if (turn === asked) update("look", { claimed });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** The player who consents on this device by a token of their own; null on a shared tablet. */
export const ownPlayer = (now) => now.you.player ?? knownTable(now.id)?.player ?? null;

/** Say for a player that the claim is what lies there; with a PIN on a shared tablet. */
export async function consent(dispute, player, pin = null) {
  const { layout } = claimOf(dispute);
  const json = pin ? { layout, player, pin } : { layout };
  const path = { number: dispute.id };
  return (await act("consent", { path, json, as: pin ? "host" : "player" })) !== null;
}

/** End the dispute. */
export async function resolve(dispute, outcome, by = {}) {
  const answer = await act("resolve", {
    path: { number: dispute.id },
    json: { outcome, ...by },
    as: outcome === "upheld" && dispute.opened_by !== "host" ? "player" : "host",
  });
  if (answer) dropDraft(placeOf(dispute));
  return answer !== null;
}

/** Add a photo of the untouched tray; whether it was taken. */
export async function addDisputePhoto(dispute, photo) {
  const form = photoForm([photo]);
  return (await act("disputePhotos", { path: { number: dispute.id }, form })) !== null;
}
