/** Sitting down at a table with a device of one's own, and coming back to it. */

import { ApiError, call } from "../../service/api.js";
import { refusalWords } from "../../parts/refusal.js";
import { notify } from "../../shell/shell.js";
import { rememberTable } from "../../table/known-tables.js";

/** A code as people type it, in the service's spelling. */
export const spelledCode = (text) => text.toUpperCase().replace(/[^A-Z]/g, "").slice(0, 6);

/** Who can join by a code: {table, players}; null where the code leads nowhere, and it is said. */
export const lobbyOf = (code) => tried(() => call("lobby", { path: { code } }));

/** Join as a player; the table's id, or null. */
export async function joinAs(code, player, players) {
  const joined = await tried(() => call("join", { path: { code }, json: { player } }));
  if (!joined) return null;
  const { table: id, player_token: playerToken } = joined;
  rememberTable({ id, code, player, playerToken, players, rounds: 0, at: Date.now() / 1000 });
  return id;
}

/** Come back with a key that the host gave; the table's id, or null. */
export async function comeBack(id, code, key) {
  const now = await tried(() => call("table", { path: { table: id }, token: key.trim() }));
  if (!now) return null;
  const players = now.players.map(({ name }) => name);
  rememberTable({ id, code, player: now.you.player, playerToken: key.trim(), players });
  return id;
}

async function tried(action) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notify(refusalWords(error));
    return null;
  }
}
