/** The page's beginning: what was kept, the language, the shell, the first screen. */

import { speakLanguage } from "./i18n/index.js";
import { startRouter } from "./shell/router.js";
import { applyTheme } from "./shell/settings.js";
import { startShell } from "./shell/shell.js";
import { restore, state } from "./shell/store.js";

const KEEP_AFTER_MS = 3_000;

restore();
applyTheme();
await speakLanguage(state.settings.language);
startShell(document.getElementById("page"));
await startRouter();

// The service worker fetches the whole page: not before the first view was looked at.
if ("serviceWorker" in navigator) {
  setTimeout(() => void navigator.serviceWorker.register("sw.js"), KEEP_AFTER_MS);
}
