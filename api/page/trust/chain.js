/**
 * A table's history as this device follows it: each entry's hash, and the seals with their words.
 *
 * The service sends each entry as the text that is hashed. What is seen here is a plain object,
 * so that it can be kept: {table, length, head, seals: {1: {shares, hash, closed, words, …}}}.
 */

import { pbkdf2, sha256 } from "./sha256.js";
import { fingerprint } from "./words.js";

/** The number of the seal at the end of the game; rounds are sealed before. */
export const LAST_SEAL = 7;

const SLOW = 32_768; // as in api/evidence/seals.py

/** A history of which nothing was seen. */
export const nothingSeen = (table) => ({
  table,
  length: 0,
  head: sha256(`trayscore table ${table}`),
  seals: {},
});

/** The history with one more entry; null for one that does not follow, or cannot be. */
export function seenWith(seen, text) {
  const entry = parsed(text);
  if (entry?.sequence !== seen.length + 1 || entry.previous !== seen.head) return null;
  const head = sha256(text);
  const seals = sealsWith(seen, entry, head);
  return seals && { ...seen, length: entry.sequence, head, seals };
}

/** What a device shows of its number before it tells it. */
export const commitmentOf = (table, seal, device, nonce) =>
  sha256(["trayscore commitment/1", table, seal, device, nonce].join("\n"));

/** The seal that comes next; null after the last. */
export function comingSeal({ seals }) {
  let number = 1;
  while (seals[number]?.hash) number++;
  return number <= LAST_SEAL ? number : null;
}

/** How many devices told the numbers that they committed to. */
export const toldOf = ({ shares }) => shares.filter(({ nonce }) => nonce).length;

const OF_WHICH = {
  share_committed: ({ seal }) => seal,
  share_told: ({ seal }) => seal,
  words_closed: ({ seal }) => seal,
  round_locked: ({ round }) => round,
  game_finished: () => LAST_SEAL,
};

/** The seals after an entry; null for one that breaks their order: first commit, then seal, then tell. */
function sealsWith({ table, seals }, { kind, body }, hash) {
  const number = OF_WHICH[kind]?.(body);
  if (number === undefined) return seals;
  const before = seals[number] ?? { shares: [], hash: null, closed: false, words: null };
  const after = STEPS[kind](before, body, { table, number, hash });
  return after && { ...seals, [number]: { ...after, words: after.words ?? wordsOf(after) } };
}

const STEPS = {
  share_committed(seal, { device, commitment }) {
    if (seal.hash || seal.shares.some((share) => share.device === device)) return null;
    return { ...seal, shares: [...seal.shares, { device, commitment, nonce: null }] };
  },
  share_told(seal, { device, nonce }, { table, number }) {
    const share = seal.shares.find((one) => one.device === device);
    const fits = share?.commitment === commitmentOf(table, number, device, nonce);
    if (!fits || !seal.hash || seal.closed || share.nonce) return null;
    const shares = seal.shares.map((one) => (one === share ? { ...share, nonce } : one));
    return { ...seal, shares };
  },
  words_closed: (seal) => (seal.hash && !seal.words ? { ...seal, closed: true } : null),
  round_locked: (seal, _, { hash }) => (seal.hash ? null : { ...seal, hash }),
  game_finished: (seal, _, { hash }) => (seal.hash ? null : { ...seal, hash }),
};

/** The six words of a seal; null while numbers are waited for. */
function wordsOf(seal) {
  const { shares, hash, closed } = seal;
  if (!hash || (!closed && toldOf(seal) < shares.length)) return null;
  if (shares.length === 0) return fingerprint(hash);
  const rows = shares.map(({ commitment, nonce }) => `${commitment} ${nonce ?? "-"}`);
  return fingerprint(pbkdf2([hash, ...rows].join("\n"), "trayscore words/1", SLOW));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
