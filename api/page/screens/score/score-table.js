/** The running score: a row a player, a column a round, what the game adds, the total. */

import { gameAt } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { plain } from "../../parts/numbers.js";
import { roundsIn } from "../../table/phase.js";
import { html, nothing } from "../../vendor/lit-html.js";

export const scoreTable = (now) => {
  const { before, after, afterPoints } = gameAt(now).scoreColumns(now);
  const best = Math.max(...now.standings.map(({ points }) => points));
  const numbers = Array.from({ length: roundsIn(now) }, (_, i) => i + 1);
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label=${t("score.title")}>
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">${t("score.player")}</th>
            ${before.map(({ head }) => head)} ${numbers.map((n) => roundHead(now, n))}
            ${after.map(({ head }) => head)}
            <th scope="col">${t("score.total")}</th>
          </tr>
        </thead>
        <tbody>
          ${now.standings.map((standing) => {
            const cells = (columns) => columns.map(({ cell }) => cell(standing));
            const rounds = numbers.map((n) => html`<td>${roundPoints(now, n, standing.player, afterPoints)}</td>`);
            return scoreRow(now, standing, best, html`${cells(before)} ${rounds} ${cells(after)}`);
          })}
        </tbody>
      </table>
    </div>
  `;
};

const roundHead = (now, n) => {
  const there = now.rounds.find((round) => round.number === n && round.missing.length === 0);
  return html`<th scope="col">
    ${there
      ? html`<a href="#/table/${now.id}/round/${n}" aria-label=${t("score.round", { n })}>${n}</a>`
      : html`<span class="faint">${n}</span>`}
  </th>`;
};

const scoreRow = (now, { player, points }, best, cells) => {
  const end = now.result?.scores.find((one) => one.player === player);
  const won = now.result?.winners.includes(player);
  return html`
    <tr class=${(end ? won : points === best) ? "leads" : ""}>
      <th scope="row">${won ? icon("star") : nothing} ${player}</th>
      ${cells}
      <td class="total">${plain(end ? end.total : points)}</td>
    </tr>
  `;
};

function roundPoints(now, n, player, afterPoints) {
  const round = now.rounds.find(({ number }) => number === n);
  const score = round?.locked ? round.trays[player]?.score : null;
  if (!score) return html`<span class="faint">·</span>`;
  return html`${plain(score.points)}${afterPoints(score)}`;
}
