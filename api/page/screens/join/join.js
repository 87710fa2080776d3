/** Join: the code from the other screen, then one's own name. */

import { t } from "../../i18n/index.js";
import { comeBack, joinAs, lobbyOf, spelledCode } from "./joining.js";
import { icon } from "../../parts/icons.js";
import { person } from "../../parts/person.js";
import { go } from "../../shell/router.js";
import { state, update } from "../../shell/store.js";
import { knownTable } from "../../table/known-tables.js";
import { html } from "../../vendor/lit-html.js";

const CODE_LENGTH = 6;

export const title = () => t("join.title");

export async function enter({ code = "" }) {
  update("look", { code: spelledCode(code), lobby: null, back: null });
  if (code) await look();
}

export const view = ({ look }) => html`
  <h1 tabindex="-1">${t("join.title")}</h1>
  ${look.back ? withKey(look) : look.lobby ? who(look) : codeForm(look)}
`;

const codeForm = ({ code = "" }) => html`
  <form class="join" @submit=${submitted}>
    <label for="code">${t("join.code")}</label>
    <input
      id="code"
      class="code-input"
      type="text"
      inputmode="text"
      autocomplete="off"
      autocapitalize="characters"
      spellcheck="false"
      maxlength="8"
      .value=${code}
      @input=${(event) => update("look", { code: spelledCode(event.target.value) })}
    />
    <button class="primary" ?disabled=${code.length < CODE_LENGTH}>${t("join.look")} ${icon("next")}</button>
  </form>
`;

const who = ({ lobby }) => html`
  <p class="lead">${t("join.who")}</p>
  <ul class="seats-free">
    ${lobby.players.map(
      ({ name, joined }) => html`
        <li>
          <button class="seat-choice ${joined ? "taken" : ""}" @click=${() => void choose(name, joined)}>
            ${person(name)} ${joined ? html`<small>${t("join.taken")}</small>` : icon("next")}
          </button>
        </li>
      `,
    )}
  </ul>
`;

const withKey = ({ back, key = "" }) => html`
  <p class="message">${icon("key")}<span>${t("join.lost", { player: back })}</span></p>
  <form class="join" @submit=${returned}>
    <label for="key">${t("join.key")}</label>
    <input
      id="key"
      type="text"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      .value=${key}
      @input=${(event) => update("look", { key: event.target.value })}
    />
    <button class="primary" ?disabled=${!key}>${t("join.return")} ${icon("next")}</button>
    <button type="button" @click=${() => update("look", { back: null })}>${t("join.other")}</button>
  </form>
`;

function submitted(event) {
  event.preventDefault();
  void look();
}

async function look() {
  const { code } = state.look;
  const lobby = await lobbyOf(code);
  if (!lobby) return;
  const known = knownTable(lobby.table);
  if (known?.playerToken || known?.hostToken) go(`/table/${lobby.table}`, { replace: true });
  else update("look", { lobby });
}

async function choose(player, joined) {
  if (joined) return update("look", { back: player, key: "" });
  const { code, lobby } = state.look;
  const id = await joinAs(code, player, lobby.players.map(({ name }) => name));
  if (id) go(`/table/${id}`, { replace: true });
  return undefined;
}

async function returned(event) {
  event.preventDefault();
  const { lobby, code, key } = state.look;
  const id = await comeBack(lobby.table, code, key);
  if (id) go(`/table/${id}`, { replace: true });
}
