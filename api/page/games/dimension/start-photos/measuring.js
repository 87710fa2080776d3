/** Start photos: one of each tray before the game, or one for all; what they measure holds at once. */

import { ApiError, call, photoForm } from "../../../service/api.js";
import { actsFor } from "../../../table/phase.js";
import { prepareShot } from "../../../device/shot.js";
import { state } from "../../../shell/store.js";
import { act, tokenFor } from "../../../table/table.js";

/** Whether a start photo of this player's tray was taken, or one for all. */
export const isMeasured = ({ tray }) => tray.start_photos.length > 0;

/** Whether it was taken of this very tray. */
export const hasOwnPhoto = ({ tray }) => tray.own && tray.start_photos.length > 0;

/** The next player in the order of the table whose start photo this device may take; null if none. */
export function nextToMeasure(now, player) {
  const place = now.players.findIndex(({ name }) => name === player);
  const later = now.players.slice(place + 1);
  return later.find((one) => actsFor(now, one.name) && !hasOwnPhoto(one))?.name ?? null;
}

/** Measure a tray, of a player or (null) all alike: {profile, reading, shot}, or {refused}. */
export async function measureTray(player, photo) {
  const { id } = state.table;
  const form = photoForm([photo]);
  try {
    const [{ profile, reading }, shot] = await Promise.all([
      call(nameOf(player), { path: { table: id, player }, token: tokenFor(id), form }),
      prepareShot(photo),
    ]);
    return { profile, reading, shot };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { refused: error };
  }
}

/** Read photos of the tray as if it had not been measured. */
export const unmeasure = (player) =>
  act(nameOf(player), { path: { player }, json: { tray: null } });

/** The call for a player's tray, or (null) for all. */
const nameOf = (player) => (player === null ? "startPhotoForAll" : "startPhoto");
