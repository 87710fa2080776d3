/** Tokens that change hands: what to take from the box, what to give back, in which coins. */

import { html, nothing } from "../../vendor/lit-html.js";
import { t, tn } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { person } from "../../parts/person.js";

const MOST_DRAWN = 5;

/** Everybody's tokens after a round, in the order of the players. */
export const handovers = (now, round) => {
  const all = now.handovers.length > 0 ? now.handovers : round.handovers;
  return html`
    <h2>${t("between.tokens")}</h2>
    <ul class="handovers">
      ${now.players.map(({ name }) => handover(all.find(({ player }) => player === name) ?? nobodys(name)))}
    </ul>
  `;
};

/** Nothing changes hands: it is said of everybody, so that nobody waits for theirs. */
const nobodys = (player) => ({ player, take: [], give: [], bonus: 0, short: 0, debt: 0 });

const handover = (one) => html`
  <li class="handover">
    ${person(one.player)}
    <div class="handover-lines">
      ${one.take.length > 0 ? line("take", one.take) : nothing}
      ${one.give.length > 0 ? line("give", one.give) : nothing}
      ${one.bonus !== 0 ? bonusLine(one.bonus) : nothing}
      ${one.take.length + one.give.length === 0 && one.bonus === 0
        ? html`<p>${t("coins.nothing")}</p>`
        : nothing}
      ${one.short > 0 ? html`<p class="note">${tn("coins.short", one.short)}</p>` : nothing}
      ${one.debt > 0 ? html`<p class="note">${tn("coins.debt", one.debt)}</p>` : nothing}
    </div>
  </li>
`;

const line = (kind, coins) => html`
  <p class="coin-line">
    <span class="coin-word">${t(`coins.${kind}`)}</span>
    ${coins.map(coinPile)}
  </p>
`;

const coinPile = ({ value, count }) => html`
  <span class="pile" aria-label=${t("coins.pile", { count, value })} role="img">
    ${count <= MOST_DRAWN
      ? Array.from({ length: count }, () => html`<span class="coin coin-${value}">${value}</span>`)
      : html`<b>${count} ×</b><span class="coin coin-${value}">${value}</span>`}
  </span>
`;

const bonusLine = (bonus) => html`
  <p class="coin-line">
    <span class="coin-word">${t(bonus > 0 ? "coins.take" : "coins.give")}</span>
    ${Array.from({ length: Math.abs(bonus) }, () => html`<span class="coin bonus">${icon("star")}</span>`)}
    <span>${tn("verdict.tokens", Math.abs(bonus))}</span>
  </p>
`;
