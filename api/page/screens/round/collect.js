/** Collect: nobody moves; one tray after the other is photographed, each for its player. */

import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { person } from "../../parts/person.js";
import { actsFor, openRound } from "../../table/phase.js";
import { html, nothing } from "../../vendor/lit-html.js";

export const collect = (now) => {
  const round = openRound(now);
  const mine = round.missing.filter((player) => actsFor(now, player));
  return html`
    <p class="hands-off">${icon("hand")} ${t("collect.handsOff")}</p>
    <ul class="trays">
      ${now.players.map(({ name }) => trayRow(now, round, name))}
    </ul>
    <div class="actions">
      ${mine.length > 0
        ? html`<a class="button primary huge" href="#${photoAddress(now, round, mine[0])}">
            ${icon("camera")}
            ${t(mine[0] === now.you.player ? "collect.mine" : "collect.next", { player: mine[0] })}
          </a>`
        : html`<p class="waiting" role="status">${t("collect.wait")}</p>`}
    </div>
  `;
};

const trayRow = (now, round, player) => {
  const tray = round.trays[player];
  return html`
    <li class="tray-row ${tray ? "in" : "to-come"}">
      ${person(player)} <span class="tray-state">${trayWords(tray)}</span>
      ${actsFor(now, player)
        ? tray
          ? html`<a class="button" href="#${trayAddress(now, round, player)}">
              ${icon("eye")} ${t("collect.check")}
            </a>`
          : html`<a class="button" href="#${photoAddress(now, round, player)}">
              ${icon("camera")} ${t("collect.photo")}
            </a>`
        : nothing}
    </li>
  `;
};

function trayWords(tray) {
  if (!tray) return t("collect.toCome");
  if (tray.problems.length > 0) return html`<span class="no">${t("collect.impossible")}</span>`;
  const unsure = tray.reading?.status === "uncertain" && tray.corrections.length === 0;
  return unsure
    ? html`<span class="doubtful-word">${icon("doubt")} ${t("collect.unsure")}</span>`
    : html`<span class="yes">${icon("check")} ${t("collect.in")}</span>`;
}

/** Where a player's tray is photographed, and where it is looked over. */
export const photoAddress = (now, { number }, player) =>
  `/table/${now.id}/round/${number}/photo/${encodeURIComponent(player)}`;
export const trayAddress = (now, { number }, player) =>
  `/table/${now.id}/round/${number}/tray/${encodeURIComponent(player)}`;
