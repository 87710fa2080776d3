/** The cards of a round as they lie on the table; those that contradict each other are marked. */

import { html } from "../../../vendor/lit-html.js";
import { cardName } from "../names.js";
import { t } from "../../../i18n/index.js";
import { card } from "../drawings/card.js";
import { icon } from "../../../parts/icons.js";

export const tableCards = ({ cards, contradictions }) => {
  const marked = new Set(contradictions.flat());
  return html`
    <ul class="table-cards" data-many=${cards.length} aria-label=${t("verdict.cards")}>
      ${cards.map((code) => html`<li>${card(code, { marked: marked.has(code) })}</li>`)}
    </ul>
    ${contradictions.map(
      ([first, second]) => html`
        <p class="message unsure">
          ${icon("doubt")}
          <span>${t("revealed.contradiction", { first: cardName(first), second: cardName(second) })}</span>
        </p>
      `,
    )}
  `;
};
