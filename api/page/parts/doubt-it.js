/** A dispute from any verdict in two taps: the flag, then yes. */

import { html } from "../vendor/lit-html.js";
import { cardName } from "../i18n/cards.js";
import { t } from "../i18n/index.js";
import { go } from "../router.js";
import { closeSheet, openSheet } from "../shell.js";
import { act } from "../table.js";
import { icon } from "./icons.js";
import { openDispute } from "./phase.js";

/** The flag beside a verdict; the way to the dispute, if one about this tray is open. */
export const disputeButton = (now, round, player, card) => {
  const open = openDispute(now, round.number, player);
  if (open) {
    return html`<a class="button flag disputed" href="#/table/${now.id}/dispute/${open.id}">
      ${icon("flag")} <span>${t("dispute.open")}</span>
    </a>`;
  }
  return html`<button
    class="flag"
    aria-label=${t("dispute.doubt", { player, card: cardName(card) })}
    @click=${() => ask(now, round, player, card)}
  >
    ${icon("flag")} <span>${t("dispute.short")}</span>
  </button>`;
};

function ask(now, round, player, card) {
  openSheet({
    title: () => t("dispute.ask"),
    view: () => html`
      <p>${t("dispute.about", { player, card: cardName(card) })}</p>
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
