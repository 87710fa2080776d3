/** Sentences read aloud, where the browser has a voice for the language. */

import { language } from "../i18n/index.js";

const canSpeak = () => "speechSynthesis" in globalThis;

/** Say these one after the other, `onPlace(i)` as each begins; what was being said is broken off. */
export function readEach(sentences, onPlace = () => {}) {
  stopReading();
  sentences.forEach((words, i) => say(words, () => onPlace(i)));
}

/** Be silent. */
export function stopReading() {
  if (canSpeak()) speechSynthesis.cancel();
}

function say(words, onStart) {
  if (!canSpeak()) return;
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.lang = language();
  utterance.addEventListener("start", onStart);
  speechSynthesis.speak(utterance);
}
