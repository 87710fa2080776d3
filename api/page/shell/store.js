/**
 * All state of the page, in one place. Screens are functions of it; actions change it by `update`.
 *
 * Each part has an owner, named beside it; only its owner's actions update it.
 */

import { preferredLanguage } from "../i18n/index.js";

const KEPT_AS = "trayscore";
const KEPT_PARTS = ["settings", "photo", "tables", "setup", "drafts"];

/** What a part holds before anything happened. */
const initial = () => ({
  /** shell/settings.js: kept on this device. */
  settings: {
    language: preferredLanguage(),
    theme: "dark",
    voice: false,
    sound: true,
    edition: "en",
    rulings: {},
  },
  /** shell/router.js: the screen that is shown, and its parameters. */
  route: { name: "home", params: {}, screen: null },
  /** service/connection.js */
  connection: { online: true },
  /** The game at hand: all its cards, once the service told them. */
  deck: { cards: [] },
  /** screens/photo/cards.js: the kind of cards that lies open. */
  picker: { kind: null },
  /** screens/photo/scoring.js: scoring one photo, without a table. */
  photo: emptyPhoto(),
  /** device/camera.js: the live view. */
  camera: { on: false, seen: null, still: 0, problem: null },
  /** shell/shell.js: a sheet over the screen, and a short notice. */
  sheet: null,
  notice: null,
  /** table/table.js: the table that this device sits at: {id, now: its state, gone: why it is lost}. */
  table: null,
  /** trust/watching.js: this device's own look at the history: {table, alarm, seals, device}. */
  trust: null,
  /** table/known-tables.js: tables this device knows, latest first: {id, code, players, hostToken, …}. */
  tables: [],
  /** table/clock.js: seconds that are left of what is timed; null if nothing is. */
  clock: { left: null },
  /** screens/setup/choices.js: how the next table will play; kept, for most play the same way again. */
  setup: {},
  /** device/drafts.js: what was entered at tables and not sent yet, by place; kept. */
  drafts: {},
  /** screens/round/sending.js: the tray that is being photographed or looked over. */
  tray: null,
  /** table/pictures.js: photos that the service keeps, by address. */
  pictures: {},
  /** Screens at a table: what a screen shows of what it has; begun anew by each. */
  look: {},
});

/** The state of the single-photo flow before a photo was taken. */
export function emptyPhoto() {
  return {
    /** Its id; undefined: the one that is usual. */
    game: undefined,
    shots: [],
    reading: null,
    position: null,
    earlier: [],
    busy: false,
    problem: null,
    cards: [],
    score: null,
    solution: null,
    conflict: [],
    bestShown: false,
    turned: 0,
  };
}

/** The state; read it, never write it. */
export const state = initial();

const listeners = new Set();
let scheduled = false;

/** Call `listener` after changes: once for all changes of a turn. */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Merge `patch` into a part of the state, or put `patch` in its place if it is no plain object. */
export function update(part, patch) {
  const mergeable = isRecord(patch) && isRecord(state[part]);
  replace(part, mergeable ? { ...state[part], ...patch } : patch);
}

/** Put `value` in the place of a part of the state. */
export function replace(part, value) {
  state[part] = value;
  if (KEPT_PARTS.includes(part)) keep();
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    for (const listener of listeners) listener(state);
  });
}

/** Bring back what an earlier visit left. */
export function restore() {
  const kept = readKept();
  if (isRecord(kept.settings)) Object.assign(state.settings, kept.settings);
  if (Array.isArray(kept.photo?.cards)) state.photo.cards = kept.photo.cards;
  if (Array.isArray(kept.tables)) state.tables = kept.tables;
  for (const part of ["setup", "drafts"]) if (isRecord(kept[part])) state[part] = kept[part];
}

function keep() {
  const { settings, tables, setup, drafts } = state;
  const kept = { settings, tables, setup, drafts, photo: { cards: state.photo.cards } };
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(kept));
  } catch {
    // Private windows may refuse: the page works, and forgets.
  }
}

function readKept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

const isRecord = (value) =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
