/** The start photo of a tray, one after the other: taken, measured, and what was measured drawn on it. */

import { showIn } from "../../../device/camera.js";
import { startFilming, stopFilming } from "../../../device/filming.js";
import { gameAt } from "../../index.js";
import { language, number, t } from "../../../i18n/index.js";
import { capturePanel } from "../../../parts/capture.js";
import { icon } from "../../../parts/icons.js";
import { measuredOverlay, startTray } from "./drawings.js";
import { actsFor, hosts } from "../../../table/phase.js";
import { measureRefusal } from "../../../parts/refusal.js";
import { startAddress } from "./panel.js";
import { atTable, enterTable, leaveTable } from "../../../table/frame.js";
import { go } from "../../../shell/router.js";
import { measureTray, nextToMeasure, unmeasure } from "./measuring.js";
import { state, update } from "../../../shell/store.js";
import { html, nothing } from "../../../vendor/lit-html.js";

export const title = ({ player }) =>
  player === undefined ? t("start.titleAll") : t("start.title", { player });

const fresh = () => ({ shot: null, reading: null, profile: null, refused: null, busy: false });

export async function enter(params) {
  update("look", fresh());
  await enterTable(params);
  if (isShown(params) && mayTake(params)) await startFilming(measure, null);
}

export function leave() {
  stopFilming();
  leaveTable();
}

export const shown = (main) => showIn(main.querySelector("video"));

export const view = ({ table, look, camera }, params) =>
  atTable(table, "play", title(params), (now) => {
    if (!mayTake(params)) return notMine(now);
    if (look.busy) return html`<p class="busy" role="status">${t("measure.busy")}</p>`;
    return look.profile ? measured(now, look, params) : toTake(now, look, camera, params);
  });

/** Whether this device may take it: the host's any, a player's their own. */
function mayTake({ player }) {
  const { now } = state.table ?? {};
  if (!now) return false;
  if (player === undefined) return hosts(now);
  return now.players.some(({ name }) => name === player) && actsFor(now, player);
}

const notMine = (now) => html`
  <p class="message">${icon("lock")}<span>${t("refused.not_your_tray")}</span></p>
  <div class="actions"><a class="button" href="#/table/${now.id}">${t("tray.back")}</a></div>
`;

const toTake = (now, look, camera, params) => html`
  <p class="lead">${t("measure.lead")}</p>
  ${look.refused
    ? html`<p class="message unsure" role="alert">
        ${icon("doubt")}<span>${measureRefusal(look.refused)}</span>
      </p>`
    : nothing}
  ${capturePanel({
    game: gameAt(now),
    camera,
    instead: startTray,
    onPhoto: measure,
    other: html`<a class="button" href="#${onward(now, params)}">${t("start.skip")} ${icon("next")}</a>`,
  })}
`;

const measured = (now, { shot, reading, profile }, params) => html`
  <p class="message sure">${icon("check")}<span>${t("measure.done")}</span></p>
  <div class="measured">
    <div class="pane">${measuredOverlay(shot, reading)}</div>
    <dl class="figures">
      ${figure("pitch", profile.pitch_mm)} ${figure("hole", profile.hole_mm)}
      ${figure("slots", profile.slot_radius_mm)}
    </dl>
  </div>
  ${warnings(profile)}
  <div class="actions">
    <button @click=${() => void giveUp(now, params)}>${icon("trash")} ${t("start.without")}</button>
    <button @click=${() => void enter(params)}>${icon("camera")} ${t("measure.again")}</button>
    ${goOn(now, params)}
  </div>
`;

/** The service's words are English. */
const warnings = ({ warnings: words }) =>
  words.length === 0
    ? nothing
    : html`<p class="message unsure">
        ${icon("doubt")}<span>${language() === "en" ? words.join(" ") : t("measure.unsure")}</span>
      </p>`;

const figure = (name, mm) => html`
  <div><dt>${t(`measure.${name}`)}</dt><dd>${number(Math.round(10 * mm) / 10)} mm</dd></div>
`;

const goOn = (now, params) => {
  const next = nextAfter(now, params);
  return html`<a class="button primary" href="#${onward(now, params)}">
    ${icon("check")} ${next === null ? t("start.done") : t("start.next", { player: next })}
  </a>`;
};

const nextAfter = (now, { player }) => (player === undefined ? null : nextToMeasure(now, player));

/** The next tray that still lacks its start photo, or the table. */
function onward(now, params) {
  const next = nextAfter(now, params);
  return next === null ? `/table/${now.id}` : startAddress(now, next);
}

/** Whether this screen still shows that tray: measuring takes seconds. */
const isShown = ({ player }) => state.route.name === "start" && state.route.params.player === player;

async function measure(photo) {
  const { params } = state.route;
  stopFilming();
  update("look", { busy: true, refused: null });
  const found = await measureTray(params.player ?? null, photo);
  if (!isShown(params)) return;
  update("look", { busy: false, ...found });
  if (found.refused) await startFilming(measure, null);
}

async function giveUp(now, params) {
  update("look", { busy: true });
  const answer = await unmeasure(params.player ?? null);
  if (!isShown(params)) return;
  if (answer) go(onward(now, params));
  else update("look", { busy: false });
}
