/** Cards that lie on the table, tapped in. */

import { loadCards } from "./deck.js";
import { draftAt, dropDraft, keepDraft } from "../../../device/drafts.js";
import { t } from "../../../i18n/index.js";
import { cardKey, parseCard } from "../card-code.js";
import { icon } from "../../../parts/icons.js";
import { cardPicker } from "./picker.js";
import { openRound } from "../../../table/phase.js";
import { atTable, enterTable, leaveTable } from "../../../table/frame.js";
import { go } from "../../../shell/router.js";
import { state, update } from "../../../shell/store.js";
import { act } from "../../../table/table.js";
import { html } from "../../../vendor/lit-html.js";

export const title = () => t("cards.title");

export function enter(params) {
  update("picker", { kind: null });
  update("look", { busy: false });
  void loadCards();
  return enterTable(params);
}

export const leave = leaveTable;

/** Once the cards lie there, on whatever device they were entered, it goes on. */
export function shown() {
  const { now } = state.table ?? {};
  if (now && (openRound(now) || now.finished)) go(`/table/${now.id}`, { replace: true });
}

const place = (now) => `${now.id}/cards/${now.rounds.length + 1}`;

export const view = ({ table, deck, picker, look }) =>
  atTable(table, "play", t("cards.title"), (now) => {
    const chosen = draftAt(place(now)) ?? [];
    const wanted = now.settings.cards_per_round;
    return html`
      ${cardPicker({
        deck: stillToCome(now, deck.cards),
        chosen,
        most: wanted,
        kind: picker.kind,
        onKind: (kind) => update("picker", { kind }),
        onChange: (cards) => keepDraft(place(now), cards),
      })}
      <div class="actions">
        <p class="waiting" role="status">${t("reveal.chosen", { n: chosen.length, all: wanted })}</p>
        <button
          class="primary"
          ?disabled=${chosen.length !== wanted || look.busy}
          @click=${() => void reveal(now, chosen)}
        >
          ${icon("check")} ${t("reveal.these")}
        </button>
      </div>
    `;
  });

/** The cards that can lie on the table: those the table plays with that were not played yet. */
function stillToCome({ settings, rounds }, standard) {
  const left = settings.without.flatMap((kind) => (kind === "exactly" ? [kind] : ["more", "sum4"]));
  const all = settings.deck ?? standard.filter((code) => !left.includes(parseCard(code).kind));
  const gone = new Set(rounds.flatMap(({ cards }) => cards.map(cardKey)));
  const fresh = all.filter((code) => !gone.has(cardKey(code)));
  return fresh.length >= settings.cards_per_round ? fresh : all; // else they are shuffled back in
}

async function reveal(now, cards) {
  update("look", { busy: true });
  const answer = await act("reveal", { json: { cards } });
  update("look", { busy: false });
  if (answer) dropDraft(place(now));
}
