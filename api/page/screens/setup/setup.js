/** Set up: who plays, and how the game wants it. Whoever is in a hurry taps one button. */

import { gameOf } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { refusalWords } from "../../parts/refusal.js";
import { ApiError } from "../../service/api.js";
import { go } from "../../shell/router.js";
import { notify } from "../../shell/shell.js";
import { state, update } from "../../shell/store.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { addPlayer, chooseSetup, nameNext, namesClash, openTable, removePlayer, setup } from "./choices.js";

export const title = () => t("setup.title");

export const enter = () => update("look", { busy: false });

export const view = ({ look, tables }) => {
  const chosen = setup();
  return html`
    <h1 tabindex="-1">${t("setup.title")}</h1>
    <div class="setup">
      ${players(chosen, tables)} ${gameOf(chosen.game).setupPanels(chosen, chooseSetup)}
    </div>
    <div class="actions">
      <button class="primary" ?disabled=${look.busy || namesClash()} @click=${() => void open()}>
        ${icon("table")} ${t("setup.open")}
      </button>
    </div>
  `;
};

const players = ({ names, game }, tables) => html`
  <section class="panel">
    <h2>${t("setup.players")}</h2>
    <ul class="names">
      ${names.map((name, i) => nameRow(name, i, names.length))}
    </ul>
    <datalist id="known-names">
      ${knownNames(tables).map((name) => html`<option value=${name}></option>`)}
    </datalist>
    ${namesClash() ? html`<p class="no" role="alert">${t("setup.clash")}</p>` : nothing}
    ${names.length < gameOf(game).MOST_PLAYERS
      ? html`<button @click=${() => addPlayer()}>${icon("plus")} ${t("setup.addPlayer")}</button>`
      : nothing}
  </section>
`;

const nameRow = (name, i, many) => html`
  <li>
    <input
      type="text"
      maxlength="40"
      autocomplete="off"
      list="known-names"
      aria-label=${t("setup.player", { n: i + 1 })}
      placeholder=${t("setup.player", { n: i + 1 })}
      .value=${name}
      @input=${(event) => nameNext(i, plain(event.target.value))}
    />
    ${many > 1
      ? html`<button
          class="quiet"
          aria-label=${t("setup.removePlayer", { n: i + 1 })}
          @click=${() => removePlayer(i)}
        >
          ${icon("close")}
        </button>`
      : nothing}
  </li>
`;

async function open() {
  update("look", { busy: true });
  try {
    go(`/table/${await openTable()}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notify(refusalWords(error));
  }
  if (state.route.name === "setup") update("look", { busy: false });
}

const knownNames = (tables) => [...new Set(tables.flatMap(({ players }) => players))].slice(0, 20);

/** A name stands in addresses too: no slashes. */
const plain = (name) => name.replaceAll(/[/\\]/g, "");
