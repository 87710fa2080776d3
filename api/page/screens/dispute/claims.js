/** Who said what lies on a disputed tray, and saying it oneself, by device or by PIN. */

import { html, nothing } from "../../vendor/lit-html.js";
import { gameAt } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { claimPosition, claimOf, consent, ownPlayer } from "./disputing.js";
import { act } from "../../table/table.js";
import { icon } from "../../parts/icons.js";
import { person } from "../../parts/person.js";
import { hosts } from "../../table/phase.js";
import { askPin } from "../../parts/pin.js";

/** Everybody's word, and the buttons to give one's own. */
export const claims = (now, dispute) => html`
  <ul class="claims">
    ${now.players.map((player) => claimRow(now, dispute, player))}
  </ul>
`;

const claimRow = (now, dispute, player) => {
  const { positionIn, positionWords } = gameAt(now);
  const said = dispute.consents.find((one) => one.player === player.name);
  const same = said && positionIn(said) === claimOf(dispute).position;
  return html`
    <li class="claim-row">
      ${person(player.name)}
      <span class="said">
        ${said
          ? html`${icon(said.own ? "check" : "devices")}
              ${positionWords(dispute.layout_before, positionIn(said))}
              ${said.own ? nothing : html`<small>${t("claims.forThem", { player: player.name })}</small>`}`
          : html`<span class="faint">${t("claims.silent")}</span>`}
      </span>
      ${said && !same
        ? html`<button @click=${() => claimPosition(dispute, positionIn(said))}>${t("claims.look")}</button>`
        : nothing}
      ${said && same ? nothing : speak(now, dispute, player)}
    </li>
  `;
};

const speak = (now, dispute, player) => {
  if (ownPlayer(now) === player.name) {
    if (player.token_by === "host" && player.pin_by === "player") return withPin(now, dispute, player);
    return html`<button class="primary" @click=${() => void consent(dispute, player.name)}>
      ${icon("check")} ${t("claims.mine")}
    </button>`;
  }
  if (!hosts(now) || (player.joined && player.pin_by !== "player")) {
    return html`<span class="faint">${t("claims.elsewhere")}</span>`;
  }
  return withPin(now, dispute, player);
};

const withPin = (now, dispute, player) => html`
  <button @click=${() => void byPin(now, dispute, player)}>
    ${icon("key")} ${t(player.pin ? "claims.pin" : "claims.firstPin")}
  </button>
`;

/** Consent on a shared tablet; whoever has no PIN yet chooses one first. */
async function byPin(now, dispute, { name, pin }) {
  const title = t(pin ? "pin.enter" : "pin.choose", { player: name });
  const typed = await askPin({ title });
  if (!typed) return;
  if (!pin && !(await act("setPin", { path: { player: name }, json: { pin: typed.pin } }))) return;
  await consent(dispute, name, typed.pin);
}
