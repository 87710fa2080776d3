/** Tables that this device knows, latest first: their keys, and how their games stand. */

import { gameIdAt } from "../games/index.js";
import { state, update } from "../shell/store.js";

const MOST_KEPT = 60;

/** What this device knows of a table; null if nothing. */
export const knownTable = (id) => state.tables.find((table) => table.id === id) ?? null;

/** Keep what is known of a table: {id, code, players, hostToken, player, playerToken, …}. */
export function rememberTable(known) {
  const before = knownTable(known.id) ?? {};
  const others = state.tables.filter(({ id }) => id !== known.id);
  update("tables", [{ ...before, ...known }, ...others].slice(0, MOST_KEPT));
}

/** Keep how a table's game stands, for the list of games. */
export function rememberGame(now) {
  const { id, code, created_at, players, rounds, result } = now;
  const game = {
    id,
    code,
    game: gameIdAt(now),
    at: created_at,
    players: players.map(({ name }) => name),
    rounds: rounds.filter(({ locked }) => locked).length,
    totals: result?.scores.map(({ player, total }) => ({ player, total })) ?? null,
    winners: result?.winners ?? null,
  };
  const before = knownTable(id);
  const same = before && Object.keys(game).every((key) => alike(before[key], game[key]));
  if (!same) rememberTable(game);
}

/** Know a table no more. */
export function forgetTable(id) {
  update("tables", state.tables.filter((table) => table.id !== id));
}

const alike = (a, b) => JSON.stringify(a) === JSON.stringify(b);
