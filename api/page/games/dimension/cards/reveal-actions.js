/** How cards come to the table: drawn here, or tapped in from those that lie there. */

import { t } from "../../../i18n/index.js";
import { icon } from "../../../parts/icons.js";
import { state, update } from "../../../shell/store.js";
import { act } from "../../../table/table.js";
import { html } from "../../../vendor/lit-html.js";

/** The host's actions for the next round. */
export const nextRound = (now) => html`
  <div class="actions">
    <a class="button" href="#/table/${now.id}/cards">${icon("cards")} ${t("reveal.tap")}</a>
    <button class="primary" ?disabled=${state.look.busy} @click=${() => void draw()}>
      ${icon("cards")} ${t("reveal.draw", { n: now.settings.cards_per_round })}
    </button>
  </div>
`;

async function draw() {
  update("look", { busy: true });
  await act("reveal", { json: {} });
  update("look", { busy: false });
}
