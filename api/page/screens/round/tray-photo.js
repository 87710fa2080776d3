/** Capture at a table: the tray of one player; when it is clear, the next one. */

import { showIn } from "../../device/camera.js";
import { startFilming, stopFilming } from "../../device/filming.js";
import { t } from "../../i18n/index.js";
import { gameAt } from "../../games/index.js";
import { capturePanel } from "../../parts/capture.js";
import { icon } from "../../parts/icons.js";
import { actsFor, roundOf } from "../../table/phase.js";
import { atTable, enterTable, leaveTable } from "../../table/frame.js";
import { go } from "../../shell/router.js";
import { notify } from "../../shell/shell.js";
import { state } from "../../shell/store.js";
import { tokenFor } from "../../table/table.js";
import { sendPhoto, takeUp, tapIn } from "./sending.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { photoAddress, trayAddress } from "./collect.js";

export const title = ({ player }) =>
  t(state.tray?.angle ? "trayPhoto.angle" : "trayPhoto.title", { player });

/** The tray that was read last: it may still lie before the camera when the next one is wanted. */
let lastRead = null;

export async function enter(params) {
  await enterTable(params);
  if (!state.table?.now) return;
  takeUp(params);
  await film();
}

const gameHere = () => gameAt(state.table.now);

async function film() {
  const { id, n, player } = state.tray;
  const other = lastRead?.id === id && lastRead.n === n && lastRead.player !== player;
  await startFilming(taken, {
    name: "tableLive",
    path: { table: id },
    greeting: { token: tokenFor(id), player },
    wants: (seen) => !(other && seen && gameHere().samePosition(seen, lastRead.position)),
    positionIn: gameHere().positionIn,
  });
}

export function leave() {
  stopFilming();
  leaveTable();
}

export const shown = (main) => showIn(main.querySelector("video"));

export const view = ({ table, tray, camera }, params) =>
  atTable(table, "play", title(params), (now) =>
    !tray || tray.busy
      ? html`<p class="busy" role="status">${t("photo.reading")}</p>`
      : html`
          ${tray.missed
            ? html`<p class="message unsure" role="alert">
                ${icon("doubt")}<span>${t(`missed.${tray.missed}`)}</span>
              </p>`
            : nothing}
          ${capturePanel({ game: gameAt(now), camera, onPhoto: taken, onByHand: tray.angle ? null : byHand })}
        `,
  );

async function taken(photo) {
  stopFilming();
  const { player } = state.tray;
  const read = await sendPhoto(photo);
  if (read === null || state.route.name !== "tray-photo") return;
  if (!read) return void film();
  lastRead = state.tray;
  const round = roundOf(state.table.now, state.tray.n);
  if (state.tray.reading.status === "certain") {
    notify(t("trayPhoto.read", { player }));
    goOn(round);
  } else go(trayAddress(state.table.now, round, player), { replace: true });
}

function byHand() {
  tapIn();
  const { now } = state.table;
  go(trayAddress(now, roundOf(now, state.tray.n), state.tray.player));
}

/** On to the next tray that this device may photograph, or back to the table. */
export function goOn(round) {
  const { now } = state.table;
  const next = roundOf(now, round.number).missing.find((player) => actsFor(now, player));
  go(next ? photoAddress(now, round, next) : `/table/${now.id}`, { replace: true });
  if (next && state.route.name === "tray-photo") void enter({ id: now.id, n: round.number, player: next });
}
