/**
 * SHA-256 and PBKDF2. Browsers have both, but not on pages without https, and a table in a living
 * room is served from http://192.168.…: so here they are, a few lines each, tested against Python's.
 */

const K = new Int32Array(64);
const START = new Int32Array(8);
const schedule = new Int32Array(64);

const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32);
const isPrime = (n) => {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return true;
};
for (let n = 2, i = 0; i < 64; n++) {
  if (!isPrime(n)) continue;
  if (i < 8) START[i] = fraction(Math.sqrt(n));
  K[i++] = fraction(Math.cbrt(n));
}

/** The SHA-256 of a text, in hexadecimal digits. */
export const sha256 = (text) => hex(digest(new TextEncoder().encode(text)));

/** PBKDF2 with HMAC-SHA-256, 256 bits, in hexadecimal digits. */
export function pbkdf2(password, salt, rounds) {
  const encoder = new TextEncoder();
  const key = new Uint8Array(64);
  const secret = encoder.encode(password);
  key.set(secret.length > 64 ? bytesOf(digest(secret)) : secret);
  const [inside, outside] = [0x36, 0x5c].map((pad) => key.map((byte) => byte ^ pad));
  const first = joined(inside, encoder.encode(salt), Uint8Array.of(0, 0, 0, 1));
  const last = digest(joined(outside, bytesOf(digest(first))));
  const [inner, outer] = [inside, outside].map((pad) => mixed(START.slice(), wordsOf(pad), 0));
  const block = new Int32Array(16);
  block[8] = 0x80000000;
  block[15] = 8 * 96; // a block of the key, then 32 bytes
  const sum = last.slice();
  for (let turn = 1; turn < rounds; turn++) {
    block.set(last);
    block.set(mixed(inner.slice(), block, 0));
    last.set(mixed(outer.slice(), block, 0));
    for (let i = 0; i < 8; i++) sum[i] ^= last[i];
  }
  return hex(sum);
}

/** The hash of bytes, as eight words. */
function digest(bytes) {
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const words = wordsOf(padded);
  words[words.length - 2] = (8 * bytes.length) / 2 ** 32;
  words[words.length - 1] = 8 * bytes.length;
  const state = START.slice();
  for (let from = 0; from < words.length; from += 16) mixed(state, words, from);
  return state;
}

/** The state after a block of sixteen words. */
function mixed(state, words, from) {
  for (let i = 0; i < 16; i++) schedule[i] = words[from + i];
  for (let i = 16; i < 64; i++) {
    const x = schedule[i - 15];
    const y = schedule[i - 2];
    const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    schedule[i] = (schedule[i - 16] + low + schedule[i - 7] + high) | 0;
  }
  let a = state[0]; // named one by one: taken apart as a list it is four times as slow
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const one = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const new1 = (h + one + chosen + K[i] + schedule[i]) | 0;
    const two = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const most = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + new1) | 0;
    d = c;
    c = b;
    b = a;
    a = (new1 + two + most) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
  return state;
}

const turned = (word, by) => (word >>> by) | (word << (32 - by));

function wordsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = new Int32Array(bytes.length / 4);
  for (let i = 0; i < words.length; i++) words[i] = view.getInt32(4 * i);
  return words;
}

function bytesOf(words) {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, i) => view.setInt32(4 * i, word));
  return new Uint8Array(view.buffer);
}

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

/** Words of 32 bits in hexadecimal digits. */
const hex = (words) => Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");

/** Random bits, in hexadecimal digits. */
export const randomHex = (bits) => hex(crypto.getRandomValues(new Uint32Array(bits / 32)));
