/** Cards: those that lie on the table, tapped in. */

import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { update } from "../../shell/store.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { photoGame, setCards } from "./scoring.js";
import { steps } from "./steps.js";

const MOST = 8;

export const title = () => t("cards.title");

export function enter() {
  update("picker", { kind: null });
  void photoGame().loadCards();
}

export const view = ({ photo, picker }) => html`
  ${steps(photo, "cards")}
  <h1 tabindex="-1">${t("cards.title")}</h1>
  ${photoGame().cardPicker({
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

function next({ cards, position, score }) {
  if (position === null) {
    return html`<a class="button primary" href="#/photo">${icon("camera")} ${t("cards.toPhoto")}</a>`;
  }
  const ready = cards.length > 0 && score?.points != null;
  return ready
    ? html`<a class="button primary" href="#/photo/verdict">${t("review.toVerdict")} ${icon("next")}</a>`
    : html`<a class="button" href="#/photo/reading">${t("cards.toReading")} ${icon("next")}</a>`;
}
