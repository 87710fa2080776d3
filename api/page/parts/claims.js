/** Who said what lies on a disputed tray, and saying it oneself, by device or by PIN. */

import { html, nothing } from "../vendor/lit-html.js";
import { colorName } from "../i18n/cards.js";
import { t } from "../i18n/index.js";
import { claimLayout, claimOf, consent, ownPlayer } from "../disputing.js";
import { act } from "../table.js";
import { cells, SEATS } from "./board.js";
import { icon } from "./icons.js";
import { person } from "./people.js";
import { hosts } from "./phase.js";
import { askPin } from "./pin.js";

/** Everybody's word, and the buttons to give one's own. */
export const claims = (now, dispute) => html`
  <ul class="claims">
    ${now.players.map((player) => claimRow(now, dispute, player))}
  </ul>
`;

const claimRow = (now, dispute, player) => {
  const said = dispute.consents.find((one) => one.player === player.name);
  const same = said?.layout === claimOf(dispute).layout;
  return html`
    <li class="claim-row">
      ${person(player.name)}
      <span class="said">
        ${said
          ? html`${icon(said.own ? "check" : "devices")}
              ${layoutWords(dispute.layout_before, said.layout)}
              ${said.own ? nothing : html`<small>${t("claims.forThem", { player: player.name })}</small>`}`
          : html`<span class="faint">${t("claims.silent")}</span>`}
      </span>
      ${said && !same
        ? html`<button @click=${() => claimLayout(dispute, said.layout)}>${t("claims.look")}</button>`
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

/** How a layout differs from the one that counts, in words. */
export function layoutWords(before, after) {
  const [old, now] = [cells(before), cells(after)];
  const seats = SEATS.filter((seat) => old[seat] !== now[seat]);
  if (seats.length === 0) return t("claims.asItIs");
  return seats.map((seat) => t("claims.seat", { seat, color: colorName(now[seat]) })).join(", ");
}
