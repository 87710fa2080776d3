/** The sum of a round: points of each player, what decided, what would have been best; the lock. */

import { t, tn } from "../../../i18n/index.js";
import { icon } from "../../../parts/icons.js";
import { person } from "../../../parts/person.js";
import { plain } from "../../../parts/numbers.js";
import { trayAddress } from "../../../screens/round/collect.js";
import { frozenNote, lockButton } from "../../../screens/round/lock.js";
import { update } from "../../../shell/store.js";
import { actsFor } from "../../../table/phase.js";
import { html, nothing } from "../../../vendor/lit-html.js";
import { solveRound } from "../hint.js";
import { bestPanel } from "../verdict.js";

export const sum = (now, round, look) => html`
  <ul class="sums">
    ${now.players.map(({ name }) => sumRow(now, round, name))}
  </ul>
  ${look.best && look.hints?.[round.number] ? bestPanel(look.hints[round.number]) : nothing}
`;

const sumRow = (now, round, player) => {
  const { score, late } = round.trays[player];
  return html`
    <li class="sum-row panel">
      ${person(player)}
      <p class="big"><b>${plain(score.points)}</b> ${tn("verdict.pointsWord", Math.abs(score.points))}</p>
      <p class="how-come">
        ${tn("verdict.spheres", score.spheres)}
        ${score.penalty
          ? html`<span class="no">− ${tn("verdict.penalty", score.failed, { p: score.penalty })}</span>`
          : nothing}
        ${score.bonus
          ? html`<span class="yes">${icon("star")} ${tn("verdict.tokens", score.bonus)}</span>`
          : nothing}
        ${late ? html`<span class="note">${t("sum.late")}</span>` : nothing}
      </p>
      ${score.decisive_rulings.map(
        (name) => html`<p class="note">
          ${t("sum.ruling")} ${t(`ruling.${name}`)}
          <b>${t(`ruling.${name}.${now.settings.rulings[name]}`)}</b>
        </p>`,
      )}
      ${actsFor(now, player) && !round.locked && !round.frozen
        ? html`<a class="button" href="#${trayAddress(now, round, player)}">
            ${icon("edit")} ${t("sum.correct")}
          </a>`
        : nothing}
    </li>
  `;
};

/** Back to the cards, what was possible, and the lock. */
export const sumActions = (now, round, look, turn) => html`
  ${frozenNote(round)}
  <div class="actions">
    <button @click=${() => turn(round.cards.length - 1)}>${icon("back")} ${t("judge.back")}</button>
    ${look.best
      ? nothing
      : html`<button @click=${() => void showBest(now, round)}>
          ${icon("star")} ${t("verdict.best")}
        </button>`}
    ${lockButton(now, round, look)}
  </div>
`;

async function showBest(now, round) {
  update("look", { best: true });
  await solveRound(now, round);
}
