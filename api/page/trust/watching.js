/**
 * This device's own look at the table's history: it follows the chain, takes part in seals, and
 * says so when the service shows another history than before.
 */

import { ApiError, call } from "../service/api.js";
import { state, update } from "../shell/store.js";
import { tokenFor } from "../table/table.js";
import { comingSeal, nothingSeen, seenWith } from "./chain.js";
import { commitmentFor, deviceAt, forgetOthers, keepSeen, keptSeen, nonceFor } from "./keeping.js";

const WORDS_AFTER_MS = 10_500; // the service waits ten seconds for silent devices

let watching = null;
let again = false;
let timer = 0;

/** Look at a table's history; while that is going on, once more afterwards. */
export function watch(table) {
  again = true;
  watching ??= watchAll(table).finally(() => {
    watching = null;
    if (again && state.table) void watch(state.table.id); // another table meanwhile
  });
  return watching;
}

async function watchAll(table) {
  while (again && state.table?.id === table) {
    again = false;
    try {
      await watchOnce(table);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // refused: the table's screens say why
    }
  }
}

async function watchOnce(table) {
  const known = keptSeen(table) ?? nothingSeen(table);
  const seen = await followed(table, known);
  const alarm = seen ? null : await alarmFor(table, known);
  if (state.table?.id !== table) return;
  const { seals } = seen ?? known;
  update("trust", { table, alarm, seals, device: deviceAt(table) });
  if (!seen) return;
  keepSeen(seen);
  forgetOthers(new Set([table, ...state.tables.map(({ id }) => id)]));
  await takePart(table, seen);
}

/** The history as the service tells it now, if it contains what was seen; null if it does not. */
async function followed(table, known) {
  let seen = known;
  for (;;) {
    const told = await chainAfter(table, seen.length);
    for (const text of told.entries) {
      seen = seenWith(seen, text);
      if (!seen) return null;
    }
    if (seen.length >= told.length || told.entries.length === 0) {
      return seen.length === told.length && seen.head === told.head ? seen : null;
    }
  }
}

const chainAfter = (table, after) =>
  call("chain", { path: { table, after }, token: tokenFor(table) });

/**
 * What is wrong: {kind, sealed}, `sealed` the last seal that is still there.
 *
 * `shorter`: the end of the history is missing, all else is there, as after an older backup.
 * `rewritten`: it is another one. `broken`: it does not even hold together.
 */
async function alarmFor(table, known) {
  const seen = await followed(table, nothingSeen(table));
  if (!seen) return { kind: "broken", sealed: 0 };
  const numbers = Object.keys(known.seals).filter((number) => known.seals[number].hash);
  const same = numbers.filter((number) => seen.seals[number]?.hash === known.seals[number].hash);
  const lost = numbers.filter((number) => !seen.seals[number]?.hash);
  const shorter = seen.length < known.length && same.length + lost.length === numbers.length;
  return {
    kind: shorter ? "shorter" : "rewritten",
    sealed: Math.max(0, ...same.map(Number)),
    missing: known.length - seen.length,
  };
}

/** Go on with the history as it is told now: the people at the table have decided so. */
export async function acceptHistory(table) {
  const seen = await followed(table, nothingSeen(table));
  if (seen) keepSeen(seen, { anew: true });
  await watch(table);
}

/** Commit to a number for the coming seal; tell those for which the history is sealed. */
async function takePart(table, { seals, ...seen }) {
  const device = deviceAt(table);
  const mine = (number) => seals[number]?.shares.find((share) => share.device === device);
  const coming = comingSeal({ seals, ...seen });
  if (coming && !mine(coming)) {
    const commitment = commitmentFor(table, coming);
    await sent("commitShare", { table, seal: coming }, { device, commitment });
  }
  for (const [seal, { hash, words }] of Object.entries(seals)) {
    if (!hash || words) continue;
    const share = mine(seal);
    const nonce = share && !share.nonce ? nonceFor(share.commitment, hash) : null;
    if (nonce) await sent("tellShare", { table, seal }, { device, nonce });
    clearTimeout(timer);
    timer = setTimeout(() => void sent("makeWords", { table, seal }), WORDS_AFTER_MS);
  }
}

/** Ask; what is refused was done by another tab or came too late, and the chain will tell. */
async function sent(name, path, json) {
  try {
    await call(name, { path, json, token: tokenFor(path.table) });
    again = true;
    void watch(path.table);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
