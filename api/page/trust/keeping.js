/**
 * What this device keeps of a table for itself: the history it has seen, and its random numbers.
 *
 * Each number has a place of its own, so that two tabs never overwrite each other's.
 */

import { commitmentOf } from "./chain.js";
import { randomHex } from "./sha256.js";

const SEEN = "trayscore-seen ";
const DEVICE = "trayscore-device ";
const NONCE = "trayscore-nonce ";

const inMemory = new Map(); // private windows may refuse to keep: then until the tab is closed

/** The history of a table that this device has seen; null if none. */
export const keptSeen = (table) => parsed(read(SEEN + table));

/** Keep what was seen, unless another tab has seen more; `anew`: in any case. */
export function keepSeen(seen, { anew = false } = {}) {
  if (anew || (keptSeen(seen.table)?.length ?? -1) < seen.length) {
    write(SEEN + seen.table, JSON.stringify(seen));
  }
}

/** What this device is called at a table: random, and another one at each. */
export function deviceAt(table) {
  if (!read(DEVICE + table)) write(DEVICE + table, randomHex(128));
  return read(DEVICE + table);
}

/** The commitment to this device's random number for a seal, which is made and kept. */
export function commitmentFor(table, seal) {
  const made = keys().filter((key) => key.startsWith(NONCE)).find((key) => {
    const kept = parsed(read(key));
    return kept?.table === table && kept.seal === seal && !kept.toldFor;
  });
  return made ? made.slice(NONCE.length) : newCommitment(table, seal);
}

function newCommitment(table, seal) {
  const nonce = randomHex(256);
  const commitment = commitmentOf(table, seal, deviceAt(table), nonce);
  write(NONCE + commitment, JSON.stringify({ table, seal, nonce, toldFor: null }));
  return commitment;
}

/**
 * The number behind a commitment, to be told for the history sealed by `hash`; null if it is not
 * known here, or was told for another history: then the service knew it when it made this one.
 */
export function nonceFor(commitment, hash) {
  const kept = parsed(read(NONCE + commitment));
  if (!kept || (kept.toldFor && kept.toldFor !== hash)) return null;
  if (!kept.toldFor) write(NONCE + commitment, JSON.stringify({ ...kept, toldFor: hash }));
  return kept.nonce;
}

/** Forget what belongs to tables that this device no longer knows. */
export function forgetOthers(known) {
  for (const key of keys()) {
    const table = tableOf(key);
    if (table && !known.has(table)) remove(key);
  }
}

function tableOf(key) {
  if (key.startsWith(NONCE)) return parsed(read(key))?.table;
  const start = [SEEN, DEVICE].find((one) => key.startsWith(one));
  return start && key.slice(start.length);
}

function read(key) {
  try {
    return localStorage.getItem(key) ?? inMemory.get(key) ?? null;
  } catch {
    return inMemory.get(key) ?? null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, value);
    inMemory.delete(key);
  } catch {
    inMemory.set(key, value);
  }
}

function remove(key) {
  inMemory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

function keys() {
  try {
    return [...Object.keys(localStorage), ...inMemory.keys()];
  } catch {
    return [...inMemory.keys()];
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
