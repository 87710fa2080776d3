/** The page's beginning: what was kept, the language, the shell, the first screen. */

import { speakLanguage } from "./i18n/index.js";
import { startRouter } from "./router.js";
import { applyTheme } from "./settings.js";
import { startShell } from "./shell.js";
import { restore, state } from "./store.js";

restore();
applyTheme();
await speakLanguage(state.settings.language);
startShell(document.getElementById("page"));
await startRouter();

if ("serviceWorker" in navigator) {
  addEventListener("load", () => void navigator.serviceWorker.register("sw.js"));
  if (document.readyState === "complete") void navigator.serviceWorker.register("sw.js");
}
