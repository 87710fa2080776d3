/** Words in the language that was chosen. A folder of texts has a module a language, same keys in all. */

import de from "./first/de.js";
import en from "./first/en.js";

/** The first view's words, in all languages: what is shown first waits for no choice. */
const FIRST = { en, de };
export const LANGUAGES = Object.keys(FIRST);

const loaded = {}; // further texts, by folder and language
let shared = []; // folders of texts for every game
let ofGame = null; // the folder of the game at hand: what it says comes first
let texts = {};
let wanted = "en";
let chosen = "en";

/** The language that the page speaks now. */
export const language = () => chosen;

/** The language to begin with: the browser's, if we speak it. */
export const preferredLanguage = () =>
  navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => LANGUAGES.includes(tag)) ?? "en";

/** Load a language's texts; from then on `t` answers in it. */
export async function speakLanguage(name) {
  wanted = name;
  await Promise.all(folders().map((folder) => load(folder, name)));
  if (name !== wanted) return; // another one was chosen meanwhile
  texts = Object.assign({}, FIRST[name], ...folders().map((folder) => loaded[`${folder}/${name}`]));
  chosen = name;
  document.documentElement.lang = name;
}

/** Load further texts, in this language and in those spoken later. */
export async function loadTexts(...more) {
  shared = [...new Set([...shared, ...more])];
  await speakLanguage(wanted);
}

/** Speak of a game: its texts are in this folder. */
export async function speakOfGame(folder) {
  ofGame = folder;
  await speakLanguage(wanted);
}

const folders = () => (ofGame ? [...shared, ofGame] : shared);

async function load(folder, name) {
  loaded[`${folder}/${name}`] ??= (await import(`${folder}/${name}.js`)).default;
}

/** The text of a key, its {places} filled in. */
export function t(key, values = {}) {
  const text = texts[key];
  if (text === undefined) {
    console.error(`No text for ${key}`);
    return key;
  }
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** The text of a key for one or for several: `key.one`, `key.other`. */
export const tn = (key, n, values = {}) =>
  t(`${key}.${n === 1 ? "one" : "other"}`, { n, ...values });

/** Words that the service sends in all languages, in ours. */
export const inOurs = (text) => text[chosen];

/** A list in words: "R1, R2 and T0". */
export const listed = (items) =>
  new Intl.ListFormat(chosen, { type: "conjunction" }).format(items);

/** A large number, its digits grouped. */
export const number = (value) => new Intl.NumberFormat(chosen).format(value);

/** A share as a percentage; what is not all is never rounded up to all. */
export function percent(share) {
  const whole = share < 1 ? Math.min(99, Math.round(100 * share)) : 100;
  return new Intl.NumberFormat(chosen, { style: "percent" }).format(whole / 100);
}
