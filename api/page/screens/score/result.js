/** The end of the game: who won and how, tokens turned into points, ties, solo bests. */

import { gameAt } from "../../games/index.js";
import { listed, t, tn } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { person } from "../../parts/person.js";
import { plain } from "../../parts/numbers.js";
import { scoreTable } from "./score-table.js";
import { LAST_SEAL } from "../../trust/chain.js";
import { sealBox } from "../../trust/seal.js";
import { html, nothing } from "../../vendor/lit-html.js";

export const finalResult = (now) => html`
  ${winner(now)}
  <ol class="places">
    ${now.result.scores.map(
      (score) => html`
        <li class="place-row panel">
          <b class="place">${score.place}.</b> ${person(score.player)}
          <span class="big"><b>${plain(score.total)}</b> ${tn("verdict.pointsWord", Math.abs(score.total))}</span>
          <span class="how-come">
            ${gameAt(now).finalWords(score)}
          </span>
        </li>
      `,
    )}
  </ol>
  ${solo(now.result.solo)} ${sealBox(LAST_SEAL)}
  <section class="panel">${scoreTable(now)}</section>
  <div class="actions">
    <a class="button" href="#/games">${icon("score")} ${t("result.games")}</a>
    <a class="button" href="#/table/${now.id}/score">${icon("save")} ${t("result.export")}</a>
    <a class="button primary" href="#/table/new">${icon("table")} ${t("result.again")}</a>
  </div>
`;

const winner = ({ result, players }) => {
  if (players.length === 1) return nothing;
  const words = { none: "result.wins", bonus_tokens: "result.winsTie", shared: "result.shared" };
  return html`<p class="winner">${icon("star")} ${t(words[result.tie], { players: listed(result.winners) })}</p>`;
};

const solo = (comparison) =>
  comparison
    ? html`<p class="message sure">
        ${icon("star")}
        <span>${t("result.solo", {
          place: comparison.place,
          games: comparison.games,
          best: comparison.best,
          average: Math.round(10 * comparison.average) / 10,
        })}</span>
      </p>`
    : nothing;
