/** Words in the language that was chosen; the texts are in en*.js and de*.js, same keys in both. */

import de from "./de.js";
import en from "./en.js";

/** The first view's words, in all languages: what is shown first waits for no choice. */
const FIRST = { en, de };
export const LANGUAGES = Object.keys(FIRST);

/** The further modules of a language that are spoken, such as "table"; `loadTexts` adds them. */
let parts = [];
let texts = {};
let chosen = "en";

/** The language that the page speaks now. */
export const language = () => chosen;

/** The language to begin with: the browser's, if we speak it. */
export const preferredLanguage = () =>
  navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => LANGUAGES.includes(tag)) ?? "en";

/** Load a language's texts; from then on `t` answers in it. */
export async function speakLanguage(name) {
  const modules = await Promise.all(parts.map((part) => import(`./${name}-${part}.js`)));
  texts = Object.assign({}, FIRST[name], ...modules.map((module) => module.default));
  chosen = name;
  document.documentElement.lang = name;
}

/** Load further texts of the language, such as "table", and of those spoken later. */
export async function loadTexts(...further) {
  parts = [...new Set([...parts, ...further])];
  await speakLanguage(chosen);
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
