/** The deck: asked for once, kept for the visit. */

import { call } from "../../../service/api.js";
import { state, update } from "../../../shell/store.js";

/** The codes of all sixty cards, once they are there. */
export const allCards = () => state.deck.cards;

/** Have the deck in the state. */
export async function loadCards() {
  if (state.deck.cards.length > 0) return;
  const { cards } = await call("deck");
  update("deck", { cards: cards.map(({ card }) => card) });
}
