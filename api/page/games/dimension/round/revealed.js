/** Revealed: the cards of the round, large; contradictions marked; then the hourglass is turned. */

import { t } from "../../../i18n/index.js";
import { cardName } from "../names.js";
import { listed } from "../../../i18n/index.js";
import { icon } from "../../../parts/icons.js";
import { hint, hintButton } from "../hint.js";
import { hosts, openRound } from "../../../table/phase.js";
import { tableCards } from "../cards/table-cards.js";
import { act } from "../../../table/table.js";
import { html, nothing } from "../../../vendor/lit-html.js";

export const revealed = (now, { look }) => {
  const round = openRound(now);
  return html`
    ${tableCards(round)} ${putBack(round)} ${hint(round, look.hints)}
    <div class="actions">
      ${hintButton(now, round, look.hints)}
      ${hosts(now)
        ? html`<button class="primary huge" @click=${() => void turn(round)}>
            ${icon("time")} ${t("revealed.turn", { n: round.hourglass.seconds })}
          </button>`
        : html`<p class="waiting" role="status">${t("revealed.wait")}</p>`}
    </div>
  `;
};

const putBack = ({ put_back: cards }) =>
  cards.length === 0
    ? nothing
    : html`<p class="note">${t("revealed.putBack", { cards: listed(cards.map(cardName)) })}</p>`;

const turn = ({ number }) => act("hourglass", { path: { number }, json: { action: "start" } });
