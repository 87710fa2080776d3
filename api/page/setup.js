/** How the next table will play, and opening it. */

import { call } from "./api.js";
import { t } from "./i18n/index.js";
import { state, update } from "./store.js";
import { rememberTable } from "./tables.js";

/** Players that a box has trays for. */
export const MOST_PLAYERS = 4;

const [SHORTEST_S, LONGEST_S, STEP_S] = [15, 300, 15];

/** All choices, those not made yet by default. */
export const setup = () => ({
  names: ["", ""],
  edition: state.settings.edition,
  cards: 6,
  without: [],
  putBack: false,
  hourglass: 60,
  rulings: {},
  unresolved: "owner",
  ...state.setup,
});

/** Choose otherwise. */
export const chooseSetup = (patch) => update("setup", patch);

/** Name a player. */
export const nameNext = (place, name) =>
  chooseSetup({ names: setup().names.map((before, i) => (i === place ? name : before)) });

/** One player more, or this one less. */
export const addPlayer = () => chooseSetup({ names: [...setup().names, ""] });
export const removePlayer = (place) =>
  chooseSetup({ names: setup().names.filter((_, i) => i !== place) });

/** Play without a kind of cards, or with it again. */
export function toggleWithout(kind) {
  const { without } = setup();
  const left = without.filter((other) => other !== kind);
  chooseSetup({ without: left.length < without.length ? left : [...without, kind] });
}

/** Turn the hourglass's time up or down by some steps. */
export function changeHourglass(steps) {
  const wanted = setup().hourglass + steps * STEP_S;
  chooseSetup({ hourglass: Math.min(LONGEST_S, Math.max(SHORTEST_S, wanted)) });
}

/** The players' names; who has none is called by number. */
export const playerNames = () =>
  setup().names.map((name, i) => name.trim() || t("setup.player", { n: i + 1 }));

/** Whether two players have the same name. */
export const namesClash = () => new Set(playerNames()).size < setup().names.length;

/** Open the table; its id. */
export async function openTable() {
  const chosen = setup();
  const players = playerNames();
  const json = {
    game: "dimension",
    edition: chosen.edition,
    players,
    cards_per_round: chosen.cards,
    without: chosen.without,
    put_back: chosen.putBack,
    rulings: chosen.rulings,
    hourglass_s: chosen.hourglass,
    unresolved: chosen.unresolved,
  };
  const { id, code, host_token: hostToken } = await call("openTable", { json });
  rememberTable({ id, code, players, hostToken, rounds: 0, at: Date.now() / 1000 });
  return id;
}
