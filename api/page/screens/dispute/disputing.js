/** A dispute on this device: what somebody here holds to lie on the tray, and saying so. */

import { draftAt, dropDraft, keepDraft } from "../../device/drafts.js";
import { gameAt } from "../../games/index.js";
import { edited, undone } from "../../parts/edits.js";
import { call, photoForm } from "../../service/api.js";
import { newestOnly } from "../../service/newest.js";
import { state, update } from "../../shell/store.js";
import { knownTable } from "../../table/known-tables.js";
import { roundOf } from "../../table/phase.js";
import { act } from "../../table/table.js";

const newestScore = newestOnly();

/** The dispute with this number. */
export const disputeOf = (now, d) => now?.disputes.find(({ id }) => id === Number(d)) ?? null;

const placeOf = (dispute) => `${state.table.id}/dispute/${dispute.id}`;

/** What is claimed here: the draft, or what counts. */
export function claimOf(dispute) {
  const draft = draftAt(placeOf(dispute));
  const position = draft?.position ?? draft?.layout ?? dispute.layout_before;
  return { position, earlier: draft?.earlier ?? [] };
}

/** Claim that something else lies on a place. */
export function claimPlace(dispute, place, letter) {
  const { position } = claimOf(dispute);
  claimPosition(dispute, gameAt(state.table.now).changed(position, place, letter));
}

/** Take the last change of the claim back. */
export const undoClaim = (dispute) => claim(dispute, undone(claimOf(dispute)));

/** Claim the same as somebody else. */
export const claimPosition = (dispute, position) => claim(dispute, edited(claimOf(dispute), position));

function claim(dispute, made) {
  keepDraft(placeOf(dispute), made);
  void scoreClaim(dispute);
}

/** What the claim is worth, in `state.look.claimed`. */
export function scoreClaim(dispute) {
  const { now } = state.table;
  const round = roundOf(now, dispute.round);
  const json = gameAt(now).claimQuestion(now, round, claimOf(dispute).position);
  return newestScore(
    () => call("score", { json }),
    (claimed) => update("look", { claimed }),
  );
}

/** The player who consents on this device by a token of their own; null on a shared tablet. */
export const ownPlayer = (now) => now.you.player ?? knownTable(now.id)?.player ?? null;

/** Say for a player that the claim is what lies there; with a PIN on a shared tablet. */
export async function consent(dispute, player, pin = null) {
  const claimed = gameAt(state.table.now).submission(claimOf(dispute).position);
  const json = pin ? { ...claimed, player, pin } : claimed;
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
