/** A further photo of a disputed tray, from another side. */

import { showIn } from "../../device/camera.js";
import { addDisputePhoto, disputeOf } from "./disputing.js";
import { startFilming, stopFilming } from "../../device/filming.js";
import { gameAt } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { capturePanel } from "../../parts/capture.js";
import { atTable, enterTable, leaveTable } from "../../table/frame.js";
import { go } from "../../shell/router.js";
import { state, update } from "../../shell/store.js";
import { html } from "../../vendor/lit-html.js";

export const title = () => t("capture.angle");

export async function enter(params) {
  update("look", { busy: false });
  await enterTable(params);
  if (state.table?.now) await startFilming(taken, null);
}

export function leave() {
  stopFilming();
  leaveTable();
}

export const shown = (main) => showIn(main.querySelector("video"));

export const view = ({ table, look, camera }) =>
  atTable(table, "play", title(), (now) =>
    look.busy
      ? html`<p class="busy" role="status">${t("photo.reading")}</p>`
      : capturePanel({ game: gameAt(now), camera, onPhoto: taken }),
  );

async function taken(photo) {
  const { id, d } = state.route.params;
  stopFilming();
  update("look", { busy: true });
  await addDisputePhoto(disputeOf(state.table.now, d), photo);
  update("look", { busy: false });
  go(`/table/${id}/dispute/${d}`, { replace: true });
}
