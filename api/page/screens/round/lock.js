/** The lock at the end of a round, or what it waits for. */

import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { update } from "../../shell/store.js";
import { hosts } from "../../table/phase.js";
import { act } from "../../table/table.js";
import { html, nothing } from "../../vendor/lit-html.js";

/** That a dispute holds the lock up. */
export const frozenNote = ({ frozen }) =>
  frozen
    ? html`<p class="message unsure">${icon("flag")}<span>${t("sum.frozen")}</span></p>`
    : nothing;

/** The host's button; for others, and once it is locked, how it goes on. */
export const lockButton = (now, round, look) => {
  if (round.locked) {
    return html`<a class="button primary" href="#/table/${now.id}">${t("sum.on")} ${icon("next")}</a>`;
  }
  if (!hosts(now)) return html`<p class="waiting" role="status">${t("sum.wait")}</p>`;
  return html`<button
    class="primary"
    ?disabled=${look.busy || round.frozen}
    @click=${() => void lock(round)}
  >
    ${icon("lock")} ${t("sum.lock")}
  </button>`;
};

async function lock({ number }) {
  update("look", { busy: true });
  await act("lock", { path: { number } });
  update("look", { busy: false });
}
