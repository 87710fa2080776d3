/** Any of the sixty cards in two taps: its kind, then the card; those chosen stay in view. */

import { html, nothing } from "../../../vendor/lit-html.js";
import { cardName } from "../names.js";
import { listed, t } from "../../../i18n/index.js";
import { card, cardPicture, kindPicture } from "../drawings/card.js";
import { cardKey, KINDS, parseCard } from "../card-code.js";
import { icon } from "../../../parts/icons.js";
import { allCards } from "./deck.js";

/**
 * Cards to choose from and those chosen.
 *
 * `deck`: codes, all if it is not given; `chosen`: codes; `most`: how many at most; `conflict`: chosen codes that no
 * layout fulfils together; `kind`: the kind that lies open, kept by the caller through `onKind`.
 */
export const cardPicker = ({ deck = allCards(), chosen, most, conflict = [], kind, onKind, onChange }) => {
  const keys = new Set(chosen.map(cardKey));
  const toggle = (code) => {
    const there = keys.has(cardKey(code));
    if (!there && chosen.length >= most) return;
    onChange(there ? chosen.filter((c) => cardKey(c) !== cardKey(code)) : [...chosen, code]);
    if (!there) onKind(null);
  };
  return html`
    <div class="picker">
      ${chosenCards(chosen, most, conflict, toggle)} ${conflictWords(conflict)}
      ${kind === null
        ? kindButtons(onKind, chosen.length >= most)
        : cardsOfKind(deck, kind, keys, chosen.length >= most, toggle, onKind)}
    </div>
  `;
};

const chosenCards = (chosen, most, conflict, toggle) => html`
  <ul class="chosen" aria-label=${t("picker.chosen")}>
    ${chosen.map(
      (code) => html`
        <li>
          <button class="chosen-card" @click=${() => toggle(code)}
            aria-label=${t("picker.remove", { card: cardName(code) })}>
            ${card(code, { marked: conflict.includes(code) })} ${icon("close")}
          </button>
        </li>
      `,
    )}
    ${Array.from({ length: Math.max(0, 6 - chosen.length) }, (_, i) =>
      html`<li class="slot" aria-hidden="true">${chosen.length + i + 1}</li>`,
    )}
  </ul>
`;

const conflictWords = (conflict) =>
  conflict.length === 0
    ? nothing
    : html`<p class="message unsure" role="status">
        ${icon("doubt")}
        <span>${t("picker.conflict", { cards: listed(conflict.map(cardName)) })}</span>
      </p>`;

const kindButtons = (onKind, full) => html`
  <h2>${full ? t("picker.full") : t("picker.kind")}</h2>
  <div class="kinds">
    ${KINDS.map(
      (kind) => html`
        <button class="kind" data-kind=${kind} ?disabled=${full} @click=${() => onKind(kind)}>
          ${kindPicture(kind)}<span>${t(`kind.${kind}`)}</span>
        </button>
      `,
    )}
  </div>
`;

const cardsOfKind = (deck, kind, keys, full, toggle, onKind) => html`
  <h2>
    <button class="quiet" @click=${() => onKind(null)} aria-label=${t("picker.back")}>
      ${icon("back")}
    </button>
    ${t(`kind.${kind}`)}
  </h2>
  <div class="kind-cards">
    ${deck
      .filter((code) => parseCard(code).kind === kind)
      .map((code) => {
        const there = keys.has(cardKey(code));
        return html`
          <button
            class="pick"
            data-card=${code}
            aria-pressed=${there}
            ?disabled=${full && !there}
            @click=${() => toggle(code)}
          >
            ${cardPicture(code)}<span>${cardName(code)}</span>
          </button>
        `;
      })}
  </div>
`;
