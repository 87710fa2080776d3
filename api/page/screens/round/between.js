/** Between rounds: the round is locked; points change hands, the score stands, the next one waits. */

import { t } from "../../i18n/index.js";
import { gameAt } from "../../games/index.js";
import { icon } from "../../parts/icons.js";
import { hosts } from "../../table/phase.js";
import { scoreTable } from "../score/score-table.js";
import { sealBox } from "../../trust/seal.js";
import { update } from "../../shell/store.js";
import { act } from "../../table/table.js";
import { html } from "../../vendor/lit-html.js";

export const between = (now, { look }) => {
  const round = now.rounds.at(-1);
  return html`
    <div class="between">
      <section class="panel">
        ${gameAt(now).handovers(now, round)}
        <p>
          <a class="button" href="#/table/${now.id}/round/${round.number}">
            ${icon("cards")} ${t("between.verdicts")}
          </a>
        </p>
      </section>
      ${sealBox(round.number)}
      <section class="panel wide">
        <h2>${t("score.title")}</h2>
        ${scoreTable(now)}
      </section>
    </div>
    ${next(now, look)}
  `;
};

const next = (now, look) => {
  if (!hosts(now)) {
    return html`<div class="actions">
      <p class="waiting" role="status">${t(now.rounds_left > 0 ? "between.wait" : "between.last")}</p>
    </div>`;
  }
  if (now.rounds_left > 0) return gameAt(now).nextRound(now);
  return html`
    <div class="actions">
      <button class="primary" ?disabled=${look.busy} @click=${() => void finish()}>
        ${icon("star")} ${t("between.finish")}
      </button>
    </div>
  `;
};

async function finish() {
  update("look", { busy: true });
  await act("finish");
  update("look", { busy: false });
}
