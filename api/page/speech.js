/** Verdicts read aloud, where the browser has a voice for the language. */

import { language } from "./i18n/index.js";
import { verdictSpoken } from "./parts/verdict.js";

/** Whether this browser can speak. */
export const canSpeak = () => "speechSynthesis" in globalThis;

/** Say one verdict; what was being said is broken off. */
export function readVerdict(verdict) {
  stopReading();
  say(verdictSpoken(verdict));
}

/** Say all verdicts one after the other; `onPlace(i)` is called as each begins. */
export function readVerdicts(verdicts, onPlace) {
  stopReading();
  verdicts.forEach((verdict, i) => say(verdictSpoken(verdict), () => onPlace(i)));
}

/** Say these sentences one after the other; what was being said is broken off. */
export function readAloud(sentences) {
  stopReading();
  for (const words of sentences) say(words);
}

/** Be silent. */
export function stopReading() {
  if (canSpeak()) speechSynthesis.cancel();
}

function say(words, onStart) {
  if (!canSpeak()) return;
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.lang = language();
  if (onStart) utterance.addEventListener("start", onStart);
  speechSynthesis.speak(utterance);
}
