/** Score: the running table, every round, disputes; to be kept as a file. */

import { gameAt } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { sealList } from "../../trust/seal.js";
import { scoreTable } from "./score-table.js";
import { atTable, enterTable, leaveTable } from "../../table/frame.js";
import { saveCsv, saveEvidence, saveJson } from "../../table/saving.js";
import { html, nothing } from "../../vendor/lit-html.js";

export const title = () => t("score.title");
export const enter = enterTable;
export const leave = leaveTable;

export const view = ({ table }) =>
  atTable(
    table,
    "score",
    t("score.title"),
    (now) => html`
      <section class="panel">${scoreTable(now)}
        <p class="note">${t("score.tapRound")}</p>
      </section>
      ${disputes(now)} ${seals(now)}
      <section class="panel">
        <h2>${t("score.keep")}</h2>
        <div class="row-of-buttons">
          <button @click=${() => saveCsv(now)}>${icon("save")} CSV</button>
          <button @click=${() => saveJson(now)}>${icon("save")} JSON</button>
          <button @click=${() => void saveEvidence(now)}>${icon("lock")} ${t("score.evidence")}</button>
          ${"share" in navigator
            ? html`<button @click=${() => void saveEvidence(now, { share: true })}>
                ${icon("share")} ${t("score.share")}
              </button>`
            : nothing}
        </div>
      </section>
    `,
  );

/** The words of each round, to compare and to note. */
const seals = (now) =>
  now.rounds.some(({ locked }) => locked)
    ? html`
        <section class="panel">
          <h2>${t("score.words")}</h2>
          ${sealList()}
          <p class="note">${t("score.wordsWhat")}</p>
        </section>
      `
    : nothing;

const disputes = (now) =>
  now.disputes.length === 0
    ? nothing
    : html`
        <section class="panel">
          <h2>${t("score.disputes")}</h2>
          <ul class="recent">
            ${now.disputes.map(
              (one) => html`
                <li>
                  <a class="row" href="#/table/${now.id}/dispute/${one.id}">
                    <b>${one.player}: ${gameAt(now).disputedThing(one)}</b>
                    <span>${t(`dispute.status.${one.status}`)}</span>
                  </a>
                </li>
              `,
            )}
          </ul>
        </section>
      `;
