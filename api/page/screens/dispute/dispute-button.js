/** A dispute from any verdict in two taps: the flag, then yes. */

import { html } from "../../vendor/lit-html.js";
import { t } from "../../i18n/index.js";
import { go } from "../../shell/router.js";
import { closeSheet, openSheet } from "../../shell/shell.js";
import { act } from "../../table/table.js";
import { icon } from "../../parts/icons.js";
import { openDispute } from "../../table/phase.js";

/** The flag beside the verdict on a card, {card, name}; the way to the dispute, if one about this tray is open. */
export const disputeButton = (now, round, player, what) => {
  const open = openDispute(now, round.number, player);
  if (open) {
    return html`<a class="button flag disputed" href="#/table/${now.id}/dispute/${open.id}">
      ${icon("flag")} <span>${t("dispute.open")}</span>
    </a>`;
  }
  return html`<button
    class="flag"
    aria-label=${t("dispute.doubt", { player, card: what.name })}
    @click=${() => ask(now, round, player, what)}
  >
    ${icon("flag")} <span>${t("dispute.short")}</span>
  </button>`;
};

function ask(now, round, player, { card, name }) {
  openSheet({
    title: () => t("dispute.ask"),
    view: () => html`
      <p>${t("dispute.about", { player, card: name })}</p>
      <p class="note">${t("dispute.freezes")}</p>
      <div class="row-of-buttons">
        <button @click=${closeSheet}>${t("dispute.no")}</button>
        <button class="primary" @click=${() => void open(now, round, player, card)}>
          ${icon("flag")} ${t("dispute.yes")}
        </button>
      </div>
    `,
  });
}

async function open(now, { number }, player, card) {
  closeSheet();
  const json = { round: number, player, card };
  const dispute = await act("dispute", { json, as: "player" });
  if (dispute) go(`/table/${now.id}/dispute/${dispute.id}`);
}
