/** The players of a table: who has a device of their own, who a PIN, and what can be done about it. */

import { html, nothing } from "../../vendor/lit-html.js";
import { t } from "../../i18n/index.js";
import { act } from "../../table/table.js";
import { joinAs } from "../join/joining.js";
import { closeSheet, notify, openSheet } from "../../shell/shell.js";
import { state, update } from "../../shell/store.js";
import { knownTable } from "../../table/known-tables.js";
import { icon } from "../../parts/icons.js";
import { person } from "../../parts/person.js";
import { hosts } from "../../table/phase.js";
import { askPin } from "../../parts/pin.js";

/** The list; `manage`: the host's tools are shown. */
export const roster = (now, manage) => html`
  <ul class="roster">
    ${now.players.map((player) => rosterRow(now, player, manage))}
  </ul>
`;

const rosterRow = (now, player, manage) => html`
  <li class="roster-row">
    ${person(player.name)}
    <span class="signs">
      ${isMine(now, player.name)
        ? sign("yes", "check", t("roster.you"))
        : player.joined
          ? sign("yes", "check", t("roster.joined"))
          : sign("", "devices", t("roster.shared"))}
      ${player.pin ? sign("", "key", t(player.pin_by === "host" ? "roster.pinByHost" : "roster.pin")) : nothing}
      ${player.token_by === "host" ? sign("", "devices", t("roster.keyByHost")) : nothing}
    </span>
    ${manage ? tools(now, player) : nothing}
  </li>
`;

const sign = (kind, name, words) => html`<span class="sign-word ${kind}">${icon(name)} ${words}</span>`;

const tools = (now, player) => html`
  <span class="roster-tools">
    ${mayTakeSeat(now, player)
      ? html`<button @click=${() => void takeSeat(now, player.name)}>
          ${icon("person")} ${t("roster.thisIsMe")}
        </button>`
      : nothing}
    ${hosts(now) || isMine(now, player.name)
      ? html`<button @click=${() => choosePin(now, player)}>
          ${icon("key")} ${t(player.pin ? "roster.changePin" : "roster.setPin")}
        </button>`
      : nothing}
    ${hosts(now) && player.joined && !isMine(now, player.name)
      ? html`<button @click=${() => reissue(player.name)}>
          ${icon("devices")} ${t("roster.newDevice")}
        </button>`
      : nothing}
  </span>
`;

const isMine = (now, player) => knownTable(now.id)?.player === player || now.you.player === player;
const mayTakeSeat = (now, player) => !player.joined && !knownTable(now.id)?.player;

async function takeSeat(now, player) {
  await joinAs(now.code, player, now.players.map(({ name }) => name));
  update("table", {});
}

async function choosePin(now, { name, pin, token_by: token, pin_by: maker }) {
  const own = isMine(now, name) && knownTable(now.id)?.playerToken;
  const chosen = await askPin({ title: t("pin.choose", { player: name }), old: pin && (!own || (token === "host" && maker === "player")) });
  if (!chosen) return;
  const json = { pin: chosen.pin, ...(chosen.old ? { old_pin: chosen.old } : {}) };
  const as = own ? "player" : "host";
  if (await act("setPin", { path: { player: name }, json, as })) notify(t("pin.set", { player: name }));
}

/** A new key for a player whose phone is lost; the old one is void from then on. */
function reissue(player) {
  openSheet({
    title: () => t("reissue.title", { player }),
    view: ({ look }) =>
      look.key
        ? html`
            <p>${t("reissue.how", { code: state.table.now.code })}</p>
            <p class="secret" tabindex="0">${look.key}</p>
            <div class="row-of-buttons">
              <button class="primary" @click=${() => void share(look.key)}>
                ${icon("share")} ${t("reissue.share")}
              </button>
            </div>
          `
        : html`
            <p>${t("reissue.warning", { player })}</p>
            <div class="row-of-buttons">
              <button @click=${closeSheet}>${t("reissue.cancel")}</button>
              <button class="primary" @click=${() => void makeKey(player)}>${t("reissue.do")}</button>
            </div>
          `,
  });
  update("look", { key: null });
}

async function makeKey(player) {
  const answer = await act("reissue", { path: { player } });
  if (answer) update("look", { key: answer.player_token });
  else closeSheet();
}

async function share(text) {
  if (navigator.share) await navigator.share({ text }).catch(() => {});
  else await navigator.clipboard?.writeText(text).then(() => notify(t("reissue.copied")));
}

