/** Cards: those that lie on the table, tapped in. */

import { loadDeck } from "../deck.js";
import { t } from "../i18n/index.js";
import { icon } from "../parts/icons.js";
import { cardPicker } from "../parts/picker.js";
import { steps } from "../parts/steps.js";
import { setCards } from "../photo.js";
import { update } from "../store.js";
import { html, nothing } from "../vendor/lit-html.js";

const MOST = 8;

export const title = () => t("cards.title");

export function enter() {
  update("picker", { kind: null });
  void loadDeck();
}

export const view = ({ photo, deck, picker }) => html`
  ${steps(photo, "cards")}
  <h1 tabindex="-1">${t("cards.title")}</h1>
  ${cardPicker({
    deck: deck.cards,
    chosen: photo.cards,
    most: MOST,
    conflict: photo.conflict,
    kind: picker.kind,
    onKind: (kind) => update("picker", { kind }),
    onChange: setCards,
  })}
  <div class="actions">
    ${photo.cards.length > 0
      ? html`<button @click=${() => setCards([])}>${t("cards.clear")}</button>`
      : nothing}
    ${next(photo)}
  </div>
`;

function next({ cards, layout, score }) {
  if (layout === null) {
    return html`<a class="button primary" href="#/photo">${icon("camera")} ${t("cards.toPhoto")}</a>`;
  }
  const ready = cards.length > 0 && score?.points != null;
  return ready
    ? html`<a class="button primary" href="#/photo/verdict">${t("review.toVerdict")} ${icon("next")}</a>`
    : html`<a class="button" href="#/photo/reading">${t("cards.toReading")} ${icon("next")}</a>`;
}
