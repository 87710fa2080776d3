/** The table: its invitation, who sits at it with what, how it plays, and its end. */

import { t } from "../../i18n/index.js";
import { loadInvitation } from "../../invitation.js";
import { icon } from "../../parts/icons.js";
import { inviteBox } from "../../parts/invite.js";
import { hosts } from "../../parts/phase.js";
import { roster } from "../../parts/roster.js";
import { startPhotos } from "../../parts/start-photos.js";
import { RULINGS } from "../../parts/rulings.js";
import { atTable, enterTable, leaveTable } from "../../parts/table-frame.js";
import { onOff } from "../../parts/switches.js";
import { go } from "../../router.js";
import { choose } from "../../settings.js";
import { closeSheet, openSheet } from "../../shell.js";
import { state, update } from "../../store.js";
import { act, standUp } from "../../table.js";
import { forgetTable } from "../../tables.js";
import { html, nothing } from "../../vendor/lit-html.js";

export const title = () => t("devices.title");

export function enter(params) {
  update("look", { invitation: null, key: null });
  return enterTable(params);
}

export const leave = leaveTable;
export const shown = () => void loadInvitation();

export const view = ({ table, look, settings }) =>
  atTable(
    table,
    "devices",
    t("devices.title"),
    (now) => html`
      <div class="devices">
        ${inviteBox(now.code, look.invitation)}
        <section class="panel">
          <h2>${t("devices.players")}</h2>
          ${roster(now, true)}
          <p class="note">${t("devices.pinWhat")}</p>
        </section>
        ${now.finished ? nothing : startPhotos(now)} ${howItPlays(now.settings)}
        <section class="panel">
          ${onOff({
            label: t("devices.sound"),
            on: settings.sound,
            onToggle: () => void choose({ sound: !settings.sound }),
          })}
          ${hosts(now)
            ? html`<button @click=${askDelete}>${icon("trash")} ${t("devices.delete")}</button>`
            : nothing}
        </section>
      </div>
    `,
  );

/** The table's rules in words, so that nobody has to remember them. */
const howItPlays = (settings) => html`
  <section class="panel">
    <h2>${t("devices.rules")}</h2>
    <ul class="rules">
      <li>${t("setup.edition")}: ${t(`edition.${settings.edition}`)}</li>
      <li>${t(`setup.cards.${settings.cards_per_round}`)}</li>
      <li>${t("setup.hourglass")}: ${t("setup.seconds", { n: settings.hourglass_s })}</li>
      ${settings.without.map((kind) => html`<li>${t(`setup.without.${kind}`)}</li>`)}
      ${settings.put_back ? html`<li>${t("setup.putBack")}</li>` : nothing}
      ${Object.keys(RULINGS).map(
        (name) => html`<li>${t(`ruling.${name}`)} <b>${t(`ruling.${name}.${settings.rulings[name]}`)}</b></li>`,
      )}
      <li>${t("setup.unresolved")} <b>${t(`setup.unresolved.${settings.unresolved}`)}</b></li>
    </ul>
  </section>
`;

function askDelete() {
  openSheet({
    title: () => t("devices.delete"),
    view: () => html`
      <p>${t("devices.deleteWhat")}</p>
      <div class="row-of-buttons">
        <button @click=${closeSheet}>${t("devices.keep")}</button>
        <button class="primary" @click=${() => void deleteTable()}>
          ${icon("trash")} ${t("devices.deleteYes")}
        </button>
      </div>
    `,
  });
}

async function deleteTable() {
  const { id } = state.table;
  const answer = await act("deleteTable");
  if (answer === null) return;
  standUp();
  forgetTable(id);
  go("/");
}
