/** Files for people to keep: scores as CSV or JSON, the evidence of a table. */

import { gameAt } from "../games/index.js";
import { ApiError, call } from "../service/api.js";
import { refusalWords } from "../parts/refusal.js";
import { notify } from "../shell/shell.js";
import { tokenFor } from "./table.js";

const FIRST = [
  ["round", ({ round }) => round.number],
  ["player", ({ tray }) => tray.player],
];
const LAST = [["fingerprint", ({ round }) => round.seal?.words ?? round.seal?.fingerprint ?? ""]];

/** A table's rounds as CSV: a line for each tray. */
export function csvOf(game, now) {
  const columns = [...FIRST, ...game.csvColumns, ...LAST];
  const rows = now.rounds.flatMap((round) =>
    Object.values(round.trays)
      .filter(({ score }) => score)
      .map((tray) => columns.map(([, value]) => value({ round, tray }))),
  );
  return [columns.map(([name]) => name), ...rows].map((row) => row.map(quoted).join(",")).join("\r\n");
}

/**
 * What a spreadsheet takes for a formula: a sign in any width, behind blanks too. Some split cells at
 * semicolons and tabs, so what follows one of these is a beginning as well.
 */
const SIGNS = "=+\\-@\\u2212\\ufe62\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d\\uff1d\\uff20";
const FORMULA = new RegExp(`(^|[;,\\t\\r\\n])([\\s\\p{C}]*)(?=[${SIGNS}])`, "gu");

/** A value as CSV has it: numbers stay numbers, and no text is a formula. */
function quoted(value) {
  if (typeof value === "number") return String(value);
  const text = String(value).replace(FORMULA, "$1$2'").replace(/^(?=[\t\r\n])/, "'");
  return /[";,\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Save a table's scores. */
export const saveCsv = (now) =>
  save(`trayscore-${now.code}.csv`, new Blob(["\ufeff", csvOf(gameAt(now), now)], { type: "text/csv" }));
export const saveJson = (now) =>
  save(`trayscore-${now.code}.json`, new Blob([JSON.stringify(now, null, 2)], { type: "application/json" }));

/** Save a table's evidence: history, photos, and what checks them; or share it. */
export async function saveEvidence(now, { share = false } = {}) {
  try {
    const blob = await call("evidence", { path: { table: now.id }, token: tokenFor(now.id) });
    const file = new File([blob], `trayscore-${now.code}-evidence.zip`, { type: "application/zip" });
    if (share && navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file] }).catch(() => {}); // closed without sharing
    } else save(file.name, file);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notify(refusalWords(error));
  }
}

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
