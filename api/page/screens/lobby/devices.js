/** The table: its invitation, who sits at it with what, how it plays, and its end. */

import { gameAt } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { loadInvitation } from "../../table/invitation.js";
import { icon } from "../../parts/icons.js";
import { inviteBox } from "./invite.js";
import { hosts } from "../../table/phase.js";
import { roster } from "./roster.js";
import { atTable, enterTable, leaveTable } from "../../table/frame.js";
import { onOff } from "../../parts/options.js";
import { go } from "../../shell/router.js";
import { choose } from "../../shell/settings.js";
import { closeSheet, openSheet } from "../../shell/shell.js";
import { state, update } from "../../shell/store.js";
import { act, standUp } from "../../table/table.js";
import { forgetTable } from "../../table/known-tables.js";
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
        ${now.finished ? nothing : gameAt(now).preparations(now)}
        <section class="panel">
          <h2>${t("devices.rules")}</h2>
          <ul class="rules">${gameAt(now).rulesInPlay(now.settings)}</ul>
        </section>
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
