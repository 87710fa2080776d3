/** Between rounds: the round is locked; tokens change hands, the score stands, the next one waits. */

import { t } from "../../i18n/index.js";
import { handovers } from "../../parts/coins.js";
import { icon } from "../../parts/icons.js";
import { hosts } from "../../parts/phase.js";
import { scoreTable } from "../../parts/scoreboard.js";
import { sealBox } from "../../parts/seal.js";
import { update } from "../../store.js";
import { act } from "../../table.js";
import { html } from "../../vendor/lit-html.js";
import { revealActions } from "./reveal-actions.js";

export const between = (now, { look }) => {
  const round = now.rounds.at(-1);
  return html`
    <div class="between">
      <section class="panel">
        <h2>${t("between.tokens")}</h2>
        ${handovers(now.players, now.handovers.length > 0 ? now.handovers : round.handovers)}
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
  if (now.rounds_left > 0) return revealActions(now);
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
