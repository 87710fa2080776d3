/** Set up: who plays, with which box, by which rules. Whoever is in a hurry taps one button. */

import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { options } from "../../parts/options.js";
import { refusalWords } from "../../parts/refusal.js";
import { rulingChoices, RULINGS } from "../../parts/rulings.js";
import { onOff } from "../../parts/switches.js";
import { go } from "../../router.js";
import {
  addPlayer,
  changeHourglass,
  chooseSetup,
  MOST_PLAYERS,
  nameNext,
  namesClash,
  openTable,
  removePlayer,
  setup,
  toggleWithout,
} from "../../setup.js";
import { notify } from "../../shell.js";
import { state, update } from "../../store.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { ApiError } from "../../api.js";

export const title = () => t("setup.title");

export const enter = () => update("look", { busy: false });

export const view = ({ look, tables }) => {
  const chosen = setup();
  return html`
    <h1 tabindex="-1">${t("setup.title")}</h1>
    <div class="setup">
      ${players(chosen, tables)} ${box(chosen)} ${variants(chosen)}
      ${houseRules(chosen)}
    </div>
    <div class="actions">
      <button class="primary" ?disabled=${look.busy || namesClash()} @click=${() => void open()}>
        ${icon("table")} ${t("setup.open")}
      </button>
    </div>
  `;
};

const players = ({ names }, tables) => html`
  <section class="panel">
    <h2>${t("setup.players")}</h2>
    <ul class="names">
      ${names.map((name, i) => nameRow(name, i, names.length))}
    </ul>
    <datalist id="known-names">
      ${knownNames(tables).map((name) => html`<option value=${name}></option>`)}
    </datalist>
    ${namesClash() ? html`<p class="no" role="alert">${t("setup.clash")}</p>` : nothing}
    ${names.length < MOST_PLAYERS
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

const box = ({ edition, cards, hourglass }) => html`
  <section class="panel">
    ${options({
      legend: t("setup.edition"),
      name: "edition",
      chosen: edition,
      choices: ["en", "de"].map((value) => ({
        value,
        label: t(`edition.${value}`),
        what: t(`setup.edition.${value}`),
      })),
      onChoose: (value) => chooseSetup({ edition: value }),
    })}
    ${options({
      legend: t("setup.cards"),
      name: "cards",
      chosen: String(cards),
      choices: ["6", "8"].map((value) => ({ value, label: t(`setup.cards.${value}`) })),
      onChoose: (value) => chooseSetup({ cards: Number(value) }),
    })}
    <div class="stepper" role="group" aria-label=${t("setup.hourglass")}>
      <span>${icon("hourglass")} ${t("setup.hourglass")}</span>
      <button aria-label=${t("setup.shorter")} @click=${() => changeHourglass(-1)}>${icon("minus")}</button>
      <output>${t("setup.seconds", { n: hourglass })}</output>
      <button aria-label=${t("setup.longer")} @click=${() => changeHourglass(1)}>${icon("plus")}</button>
    </div>
  </section>
`;

const variants = ({ without, putBack }) => html`
  <section class="panel">
    <h2>${t("setup.variants")}</h2>
    ${["exactly", "more_sum4"].map((kind) =>
      onOff({
        label: t(`setup.without.${kind}`),
        on: without.includes(kind),
        onToggle: () => toggleWithout(kind),
      }),
    )}
    ${onOff({
      label: t("setup.putBack"),
      what: t("setup.putBack.what"),
      on: putBack,
      onToggle: () => chooseSetup({ putBack: !putBack }),
    })}
  </section>
`;

const houseRules = ({ rulings, unresolved }) => html`
  <details class="panel house-rules">
    <summary>${t("setup.rulings")}<small>${t("setup.rulings.what")}</small></summary>
    ${rulingChoices(rulings, Object.keys(RULINGS), (chosen) => chooseSetup({ rulings: chosen }))}
    ${options({
      legend: t("setup.unresolved"),
      name: "unresolved",
      chosen: unresolved,
      choices: ["owner", "opponents"].map((value) => ({
        value,
        label: t(`setup.unresolved.${value}`),
      })),
      onChoose: (value) => chooseSetup({ unresolved: value }),
    })}
  </details>
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
