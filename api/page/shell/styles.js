/** Looks that the first view does without, loaded in an order that decides: later ones win. */

const SHARED = [
  "parts/parts.css",
  "parts/photo.css",
  "screens/photo/photo.css",
  "table/table.css",
  "screens/lobby/lobby.css",
  "screens/join/join.css",
  "screens/setup/setup.css",
  "screens/round/round.css",
  "screens/score/score.css",
  "screens/past-games/past-games.css",
  "screens/dispute/dispute.css",
  "trust/trust.css",
];

const loading = new Map();

/** Have the looks of all screens. */
export const loadSharedStyles = () => loadStyles(SHARED);

/** Have these stylesheets; a try that failed is no hindrance to the next one. */
export const loadStyles = (addresses) => Promise.all(addresses.map(loadOnce));

function loadOnce(address) {
  if (!loading.has(address)) loading.set(address, loadStyle(address));
  return loading.get(address);
}

function loadStyle(address) {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => {
      link.remove();
      loading.delete(address);
      reject(new TypeError(`${address} did not load`));
    });
    document.head.append(link);
  });
}
