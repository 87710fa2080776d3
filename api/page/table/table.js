/**
 * The table that this device sits at: its state as the service tells it, and what is done there.
 *
 * The service owns the state. Whatever happens, here or on another device, it sends the table anew
 * over the line of events; it is fetched only to begin with, or where that line is broken. So all
 * devices show the same.
 */

import { ApiError, call, callAtTable, endpointAddress } from "../service/api.js";
import { countTo, setClock } from "./clock.js";
import { followEvents } from "../service/events.js";
import { gameIdAt, knowsGame, loadGame } from "../games/index.js";
import { refusalWords } from "../parts/refusal.js";
import { untilLoaded } from "../shell/router.js";
import { notify } from "../shell/shell.js";
import { state, subscribe, update } from "../shell/store.js";
import { knownTable, rememberGame } from "./known-tables.js";
import { maySleep, stayAwake } from "../device/wake.js";

const PATIENCE_MS = 1_500; // for the line of events, after an answer came

let leave = null;
let fetching = null;
let stale = false;

/** Nothing is known of a table yet. */
const unknown = (id) => ({ id, now: null, gone: null });

/** Sit down at a table: from now on its state is followed. */
export async function sitDown(id) {
  if (state.table?.id === id && !state.table.gone) return;
  standUp();
  const token = tokenFor(id);
  update("table", token ? unknown(id) : { ...unknown(id), gone: "no_token" });
  if (!token) return;
  stayAwake();
  leave = followEvents(`${endpointAddress("events", { table: id })}?state=true`, token, {
    onEvent: (told, name) => void heard(id, told, name),
    onRefused: (status) => lost(id, status === 404 ? "no_table" : "wrong_token"),
  });
  await refresh();
}

/** Leave the table; what it keeps stays kept. */
export function standUp() {
  leave?.();
  leave = null;
  countTo(null);
  maySleep();
  update("table", null);
  update("trust", null);
}

/** Fetch the table's state; while it is being fetched, once more afterwards. */
export function refresh() {
  stale = true;
  fetching ??= fetchAll().finally(() => {
    fetching = null;
  });
  return fetching;
}

async function fetchAll() {
  while (stale && state.table) {
    stale = false;
    const { id } = state.table;
    const askedAt = Date.now();
    try {
      const now = await call("table", { path: { table: id }, token: tokenFor(id) });
      if (state.table?.id === id) await arrived(now, askedAt);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      lost(id, error.code);
    }
  }
}

/** The line of events told something: the table as it is now, or that it is gone. */
async function heard(id, told, name) {
  if (state.table?.id !== id) return;
  if (name === "deleted" || name === "refused") return lost(id, told.code);
  if (name === "table") await arrived(told);
}

/** A table's state came; `askedAt`: when it was asked for, if it was. */
async function arrived(now, askedAt = null) {
  setClock(now.server_now, askedAt, Date.now());
  if (!knowsGame(gameIdAt(now))) return lost(now.id, "unknown_game");
  const game = await untilLoaded(() => loadGame(gameIdAt(now)));
  if (state.table?.id !== now.id) return;
  if (state.table.now && now.version < state.table.now.version) return; // an older answer
  game.followClock();
  update("table", { now, gone: null });
  rememberGame(now);
  countTo(game.endsAt(now));
  void watchHistory(now.id);
}

/** This device's own look at the history; its module comes after what people wait for. */
async function watchHistory(id) {
  try {
    const { watch } = await import("../trust/watching.js");
    await watch(id);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // it did not load: with the next news
  }
}

function lost(id, code) {
  if (state.table?.id === id) update("table", { gone: code });
}

/**
 * Do something at the table: one of `ENDPOINTS`, its answer; null where it was refused, and said.
 *
 * `as: "player"` acts with the own player's token; otherwise the host's is taken, if there is one.
 */
export async function act(name, { path = {}, json, form, as = "host" } = {}) {
  const { id } = state.table;
  try {
    const token = tokenFor(id, as);
    const asked = { path: { table: id, ...path }, json, form, token };
    const { answer, version } = await callAtTable(name, asked);
    await untilSeen(id, version);
    return answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notify(refusalWords(error));
    void refresh();
    return null;
  }
}

/** Wait until the table shows a version; it is fetched if the line of events does not bring it. */
async function untilSeen(id, version) {
  const seen = () => state.table?.id !== id || state.table.now?.version >= version;
  if (version === null) return refresh();
  if (seen()) return undefined;
  await new Promise((resolve) => {
    const timer = setTimeout(done, PATIENCE_MS);
    const stop = subscribe(() => seen() && done());
    function done() {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
  return seen() ? undefined : refresh();
}

/** The token for a table: the host's, if this device has it, or the player's. */
export function tokenFor(id, as = "host") {
  const known = knownTable(id);
  const [first, second] = [known?.hostToken, known?.playerToken];
  return (as === "host" ? (first ?? second) : (second ?? first)) ?? null;
}
