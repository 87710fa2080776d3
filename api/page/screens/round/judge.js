/** Verdict at the table: a round as the game judges it, while it is open and ever after. */

import { stopReading } from "../../device/speech.js";
import { gameAt } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { state, update } from "../../shell/store.js";
import { atTable, enterTable, leaveTable } from "../../table/frame.js";
import { roundOf } from "../../table/phase.js";
import { loadPictures } from "../../table/pictures.js";
import { tokenFor } from "../../table/table.js";
import { html } from "../../vendor/lit-html.js";

export const title = ({ n }) => t("judge.title", { n });

/** Where a look at a round begins: its first card. */
export const firstLook = () => ({ turned: 0, player: null, hints: {}, best: false, busy: false });

export function enter(params) {
  update("look", firstLook());
  return enterTable(params);
}

export function leave() {
  stopReading();
  leaveTable();
}

export const shown = (_, { n }) => loadPhotos(roundOf(state.table?.now, n));

/** Have the photos of a round at hand. */
export function loadPhotos(round) {
  if (!round) return;
  const photos = Object.values(round.trays).flatMap((tray) => tray.photos.slice(0, 1));
  loadPictures(photos.map(({ url }) => url), tokenFor(state.table.id));
}

export const view = (all, { n }) =>
  atTable(all.table, "score", title({ n }), (now) => {
    const round = roundOf(now, n);
    const complete = round && round.missing.length === 0;
    return complete ? gameAt(now).judged(now, round, all) : html`<p>${t("judge.notYet")}</p>`;
  });
