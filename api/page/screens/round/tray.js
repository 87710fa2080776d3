/** Review at a table: what was read of a player's tray, corrected by tapping, and let count. */

import { gameAt } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { worth } from "../../parts/worth.js";
import { state, update } from "../../shell/store.js";
import { atTable, enterTable, leaveTable } from "../../table/frame.js";
import { actsFor, roundOf } from "../../table/phase.js";
import { loadPictures } from "../../table/pictures.js";
import { tokenFor } from "../../table/table.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { photoAddress } from "./collect.js";
import {
  confirmTray,
  correctPlace,
  followTable,
  MOST_PHOTOS,
  shotsOf,
  takeUp,
  tapIn,
  undoPlace,
} from "./sending.js";
import { goOn } from "./tray-photo.js";

export const title = ({ player }) => t("tray.title", { player });

export async function enter(params) {
  update("look", { busy: false });
  await enterTable(params);
  if (!state.table?.now) return;
  takeUp(params);
  const sent = roundOf(state.table.now, params.n)?.trays[params.player];
  if (!sent && state.tray.position === null) tapIn();
}

export const leave = leaveTable;

export function shown() {
  const { table, tray } = state;
  const sent = tray && roundOf(table?.now, tray.n)?.trays[tray.player];
  if (!sent) return;
  loadPictures(sent.photos.map(({ url }) => url), tokenFor(table.id));
  followTable();
}

export const view = ({ table, tray, look }, params) =>
  atTable(table, "play", title(params), (now) => {
    const round = tray && roundOf(now, tray.n);
    if (!round || tray.busy || tray.position === null) {
      return html`<p class="busy" role="status">${t("photo.reading")}</p>`;
    }
    return reviewed(now, round, tray, look);
  });

const reviewed = (now, round, tray, look) => {
  const fixed = round.locked || round.frozen || !actsFor(now, tray.player);
  const sent = round.trays[tray.player];
  return html`
    ${gameAt(now).reviewPanel({
      shot: shotsOf(tray)[0] ?? null,
      reading: tray.reading,
      position: tray.position,
      corrections: tray.earlier.length,
      onCorrect: fixed ? null : correctPlace,
      onUndo: undoPlace,
    })}
    ${sent ? gameAt(now).trayNote(sent, round) : nothing}
    ${fixed ? html`<p class="message">${icon("lock")}<span>${t("tray.fixed")}</span></p>` : nothing}
    <div class="actions">
      ${worth(gameAt(now), tray.score)} ${fixed ? back(now) : tools(now, round, tray, look)}
    </div>
  `;
};

const back = (now) => html`<a class="button" href="#/table/${now.id}">${t("tray.back")}</a>`;

const tools = (now, round, tray, look) => html`
  <a class="button" href="#${photoAddress(now, round, tray.player)}" @click=${() => again(false)}>
    ${icon("camera")} ${t("tray.again")}
  </a>
  ${tray.reading && shotsOf(tray).length < MOST_PHOTOS
    ? html`<a
        class="button"
        href="#${photoAddress(now, round, tray.player)}"
        @click=${() => again(true)}
      >
        ${icon("angle")} ${t("photo.angle")}
      </a>`
    : nothing}
  <button
    class="primary"
    ?disabled=${look.busy || tray.score?.points == null}
    @click=${() => void confirm(round)}
  >
    ${icon("check")} ${t("tray.right")}
  </button>
`;

const again = (angle) => update("tray", { angle });

async function confirm(round) {
  update("look", { busy: true });
  const counts = await confirmTray();
  update("look", { busy: false });
  if (counts && state.route.name === "tray") goOn(round);
}
