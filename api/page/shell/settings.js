/** What a person chose for this device: language, theme, voice, edition, rulings. */

import { speakLanguage } from "../i18n/index.js";
import { state, update } from "./store.js";

/** Change settings and let them work at once. */
export async function choose(patch) {
  update("settings", patch);
  if (patch.language) {
    await speakLanguage(patch.language);
    update("settings", {});
  }
  applyTheme();
}

/** Put the chosen theme on the page. */
export function applyTheme() {
  document.documentElement.dataset.theme = state.settings.theme;
}
