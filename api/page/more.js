/** What the first view does without: the words and looks of everything but home. */

import { loadTexts } from "./i18n/index.js";

const STYLES = ["parts.css", "screens.css", "table.css"]; // later ones win

let loading = null;

/** Have them; a try that failed is no hindrance to the next one. */
export function loadMore() {
  loading ??= Promise.all([loadTexts("photo", "table"), ...STYLES.map(loadStyle)]).catch(
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

function loadStyle(address) {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => {
      link.remove();
      reject(new TypeError(`${address} did not load`));
    });
    document.head.append(link);
  });
}
