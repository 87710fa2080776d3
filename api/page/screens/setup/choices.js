/** How the next table will play, and opening it. */

import { gameOf } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { call } from "../../service/api.js";
import { state, update } from "../../shell/store.js";
import { rememberTable } from "../../table/known-tables.js";

/** All choices, those not made yet by default. */
export function setup() {
  const game = state.setup.game ?? state.photo.game;
  return { names: ["", ""], ...gameOf(game).setupDefaults(state.settings), ...state.setup, game };
}

/** Choose otherwise. */
export const chooseSetup = (patch) => update("setup", patch);

/** Name a player. */
export const nameNext = (place, name) =>
  chooseSetup({ names: setup().names.map((before, i) => (i === place ? name : before)) });

/** One player more, or this one less. */
export const addPlayer = () => chooseSetup({ names: [...setup().names, ""] });
export const removePlayer = (place) =>
  chooseSetup({ names: setup().names.filter((_, i) => i !== place) });

/** The players' names; who has none is called by number. */
const playerNames = () =>
  setup().names.map((name, i) => name.trim() || t("setup.player", { n: i + 1 }));

/** Whether two players have the same name. */
export const namesClash = () => new Set(playerNames()).size < setup().names.length;

/** Open the table; its id. */
export async function openTable() {
  const chosen = setup();
  const players = playerNames();
  const json = { players, ...gameOf(chosen.game).tableRequest(chosen) };
  const { id, code, host_token: hostToken } = await call("openTable", { json });
  rememberTable({ id, code, players, hostToken, rounds: 0, at: Date.now() / 1000 });
  return id;
}
