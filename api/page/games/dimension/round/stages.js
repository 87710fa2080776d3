/** How a round goes on before trays are sent in: the cards are seen, the hourglass runs. */

import { tn } from "../../../i18n/index.js";
import { icon } from "../../../parts/icons.js";
import { openRound } from "../../../table/phase.js";
import { html, nothing } from "../../../vendor/lit-html.js";
import { build } from "./build.js";
import { revealed } from "./revealed.js";

/** The screens of these stages. */
export const stages = { revealed, build };

/** The stage of an open round; null once trays are to be sent in. */
export function stageOf(now, { hourglass, missing }, left) {
  if (hourglass.started_at === null && missing.length === now.players.length) return "revealed";
  return left > 0 ? "build" : null;
}

/** When the hourglass of the open round runs out, by the service's clock; null without one. */
export const endsAt = (now) => openRound(now)?.hourglass.ends_at ?? null;

/** Photos are taken when the sand has run out: how long after is told, and judged by people. */
export const trayNote = ({ late, submitted_at: at }, { hourglass }) =>
  late
    ? html`<p class="note">
        ${icon("time")} ${tn("tray.late", Math.max(1, Math.round(at - hourglass.ends_at)))}
      </p>`
    : nothing;
