/** Start photos: one of each tray before the game, or one for all; what they measure holds at once. */

import { ApiError, call, photoForm } from "./api.js";
import { actsFor } from "./parts/phase.js";
import { prepareShot } from "./shot.js";
import { state } from "./store.js";
import { refresh, tokenFor } from "./table.js";

/** Whether a start photo of this player's tray was taken, or one for all. */
export const isMeasured = ({ tray }) => tray.start_photos.length > 0;

/** Whether it was taken of this very tray. */
export const hasOwnPhoto = ({ tray }) => tray.own && tray.start_photos.length > 0;

/** The player whose start photo this device may take next, after this one's; null if none is left. */
export function nextToMeasure(now, player) {
  const place = now.players.findIndex(({ name }) => name === player);
  const around = [...now.players.slice(place + 1), ...now.players.slice(0, place)];
  return around.find((one) => actsFor(now, one.name) && !hasOwnPhoto(one))?.name ?? null;
}

/** Measure a tray, of a player or (null) all alike: {profile, reading, shot}, or {refused}. */
export async function measureTray(player, photo) {
  try {
    const [{ profile, reading }, shot] = await Promise.all([
      set(player, { form: photoForm([photo]) }),
      prepareShot(photo),
    ]);
    return { profile, reading, shot };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { refused: error };
  } finally {
    void refresh();
  }
}

/** Read photos of the tray as if it had not been measured. */
export async function unmeasure(player) {
  await set(player, { json: { tray: null } });
  await refresh();
}

function set(player, body) {
  const { id } = state.table;
  const name = player === null ? "startPhotoForAll" : "startPhoto";
  return call(name, { path: { table: id, player }, token: tokenFor(id), ...body });
}
