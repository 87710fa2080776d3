/** The deck: asked for once, kept for the visit. */

import { call } from "./api.js";
import { state, update } from "./store.js";

/** Have the deck in the state. */
export async function loadDeck() {
  if (state.deck.cards.length > 0) return;
  const { cards } = await call("deck");
  update("deck", { cards: cards.map(({ card }) => card) });
}
