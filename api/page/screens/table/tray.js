/** Review at a table: what was read of a player's tray, corrected by tapping, and let count. */

import { t, tn } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { actsFor, roundOf } from "../../parts/phase.js";
import { plain } from "../../parts/scoreboard.js";
import { reviewPanel } from "../../parts/review.js";
import { atTable, enterTable, leaveTable } from "../../parts/table-frame.js";
import { loadPictures } from "../../pictures.js";
import { state, update } from "../../store.js";
import { tokenFor } from "../../table.js";
import {
  confirmTray,
  correctSeat,
  followTable,
  MOST_PHOTOS,
  shotsOf,
  takeUp,
  tapIn,
  undoSeat,
} from "../../tray.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { photoAddress } from "./collect.js";
import { goOn } from "./photo.js";

export const title = ({ player }) => t("tray.title", { player });

export async function enter(params) {
  update("look", { busy: false });
  await enterTable(params);
  if (!state.table?.now) return;
  takeUp(params);
  const sent = roundOf(state.table.now, params.n)?.trays[params.player];
  if (!sent && state.tray.layout === null) tapIn();
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
    if (!round || tray.busy || tray.layout === null) {
      return html`<p class="busy" role="status">${t("photo.reading")}</p>`;
    }
    return reviewed(now, round, tray, look);
  });

const reviewed = (now, round, tray, look) => {
  const fixed = round.locked || round.frozen || !actsFor(now, tray.player);
  const sent = round.trays[tray.player];
  return html`
    ${reviewPanel({
      shot: shotsOf(tray)[0] ?? null,
      reading: tray.reading,
      layout: tray.layout,
      corrections: tray.earlier.length,
      onCorrect: fixed ? null : correctSeat,
      onUndo: undoSeat,
    })}
    ${sent?.late ? lateNote(sent, round) : nothing}
    ${fixed ? html`<p class="message">${icon("lock")}<span>${t("tray.fixed")}</span></p>` : nothing}
    <div class="actions">
      ${worth(tray.score)} ${fixed ? back(now) : tools(now, round, tray, look)}
    </div>
  `;
};

/** Photos are taken when the sand has run out: how long after is told, and judged by people. */
const lateNote = ({ submitted_at: at }, { hourglass }) => html`
  <p class="note">
    ${icon("hourglass")} ${tn("tray.late", Math.max(1, Math.round(at - hourglass.ends_at)))}
  </p>
`;

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

/** What the layout is worth as it stands, or what is wrong with it. */
const worth = (score) => {
  if (!score) return nothing;
  if (score.problems.length > 0) {
    return html`<ul class="problems" role="status">
      ${score.problems.map(
        ({ code, seats }) => html`<li>${icon("cross")} ${t(`problem.${code}`, { seats: seats.join(", ") })}</li>`,
      )}
    </ul>`;
  }
  return html`<p class="worth" role="status">
    <b>${plain(score.points)}</b> ${tn("verdict.pointsWord", Math.abs(score.points))}
  </p>`;
};

const again = (angle) => update("tray", { angle });

async function confirm(round) {
  update("look", { busy: true });
  const counts = await confirmTray();
  update("look", { busy: false });
  if (counts && state.route.name === "tray") goOn(round);
}
