/** The running score: a row a player, a column a round, tokens, total; after the end, the result. */

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";
import { icon } from "./icons.js";
import { ROUNDS } from "./phase.js";

const START_POINTS = 10; // as rules/dimension/editions.py

export const scoreTable = (now) => {
  const best = Math.max(...now.standings.map(({ points }) => points));
  const result = now.result?.scores ?? null;
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label=${t("score.title")}>
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">${t("score.player")}</th>
            <th scope="col" class="faint" title=${t("score.start")}>${icon("plus")}</th>
            ${numbers.map((n) => roundHead(now, n))}
            <th scope="col" aria-label=${t("score.tokens")}>${icon("star")}</th>
            ${result ? html`<th scope="col">${t("score.conversion")}</th>` : nothing}
            <th scope="col">${t("score.total")}</th>
          </tr>
        </thead>
        <tbody>
          ${now.standings.map((standing) => scoreRow(now, standing, best, result))}
        </tbody>
      </table>
    </div>
  `;
};

const numbers = Array.from({ length: ROUNDS }, (_, i) => i + 1);

const roundHead = (now, n) => {
  const there = now.rounds.find((round) => round.number === n && round.missing.length === 0);
  return html`<th scope="col">
    ${there
      ? html`<a href="#/table/${now.id}/round/${n}" aria-label=${t("score.round", { n })}>${n}</a>`
      : html`<span class="faint">${n}</span>`}
  </th>`;
};

const scoreRow = (now, { player, points, bonus }, best, result) => {
  const end = result?.find((one) => one.player === player);
  const won = now.result?.winners.includes(player);
  return html`
    <tr class=${(end ? won : points === best) ? "leads" : ""}>
      <th scope="row">${won ? icon("star") : nothing} ${player}</th>
      <td class="faint">${START_POINTS}</td>
      ${numbers.map((n) => html`<td>${roundPoints(now, n, player)}</td>`)}
      <td>${bonus}</td>
      ${end ? html`<td>${signed(end.conversion)}</td>` : nothing}
      <td class="total">${plain(end ? end.total : points)}</td>
    </tr>
  `;
};

function roundPoints(now, n, player) {
  const round = now.rounds.find(({ number }) => number === n);
  const score = round?.locked ? round.trays[player]?.score : null;
  if (!score) return html`<span class="faint">·</span>`;
  return html`${plain(score.points)}${score.bonus ? html`<sup>${"★".repeat(score.bonus)}</sup>` : nothing}`;
}

/** A number that may be negative, with a proper minus. */
export const plain = (value) => (value < 0 ? `−${Math.abs(value)}` : String(value));

/** A number with its sign: +3, −6, 0. */
export const signed = (value) => (value > 0 ? `+${value}` : plain(value));
