/** Build: the hourglass that everyone sees, the cards beside it; then nobody may move. */

import { t } from "../../../i18n/index.js";
import { hourglass, WARNING_S } from "../drawings/hourglass.js";
import { icon } from "../../../parts/icons.js";
import { hosts, openRound } from "../../../table/phase.js";
import { tableCards } from "../cards/table-cards.js";
import { act } from "../../../table/table.js";
import { html, nothing } from "../../../vendor/lit-html.js";

export const build = (now, { clock }) => {
  const round = openRound(now);
  const last = clock.left <= WARNING_S;
  return html`
    <div class="build ${last ? "last" : ""}">
      ${hourglass(clock.left, round.hourglass.seconds)}
      <p class="aloud" role="status">${last ? t("build.last") : nothing}</p>
      ${tableCards(round)}
    </div>
    ${hosts(now)
      ? html`<div class="actions">
          <button @click=${() => void stop(round)}>${icon("hand")} ${t("build.stop")}</button>
        </div>`
      : nothing}
  `;
};

const stop = ({ number }) => act("hourglass", { path: { number }, json: { action: "stop" } });
