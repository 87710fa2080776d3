/** The cards of a round as a strip to walk along, the sum at its end. */

import { html } from "../../../vendor/lit-html.js";
import { cardName } from "../names.js";
import { t } from "../../../i18n/index.js";
import { cardPicture } from "../drawings/card.js";
import { icon } from "../../../parts/icons.js";

/** The strip; `place` is where one is, the number of cards meaning the sum. */
export const cardStrip = (round, place, onTurn) => html`
  <nav class="card-strip" aria-label=${t("verdict.cards")}>
    ${round.cards.map(
      (code, i) => html`
        <button
          class="strip-card ${i < place ? answer(round, i) : ""}"
          aria-label=${cardName(code)}
          aria-current=${i === place ? "step" : "false"}
          @click=${() => onTurn(i)}
        >
          ${cardPicture(code)}
        </button>
      `,
    )}
    <button
      class="strip-card sum"
      aria-label=${t("judge.sum")}
      aria-current=${place === round.cards.length ? "step" : "false"}
      @click=${() => onTurn(round.cards.length)}
    >
      ${icon("score")}
    </button>
  </nav>
`;

/** How a card that was looked at went: failed, if anybody failed it. */
const answer = ({ trays }, i) =>
  Object.values(trays).some(({ score }) => !score.verdicts[i].fulfilled) ? "failed" : "fulfilled";
