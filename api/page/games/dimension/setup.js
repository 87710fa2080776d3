/** How a table of Dimension plays: edition, cards, hourglass, variants, house rules. */

import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { onOff, options } from "../../parts/options.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { rulingChoices, RULINGS } from "./rulings.js";

/** Players that a box has trays for. */
export const MOST_PLAYERS = 4;

const EDITIONS = ["en", "de"];
const [SHORTEST_S, LONGEST_S, STEP_S] = [15, 300, 15];

/** Choices that nobody has made yet. */
export const setupDefaults = ({ edition }) => ({
  edition,
  cards: 6,
  without: [],
  putBack: false,
  hourglass: 60,
  rulings: {},
  unresolved: "owner",
});

/** What is asked when a table is opened. */
export const tableRequest = (chosen) => ({
  game: "dimension",
  edition: chosen.edition,
  cards_per_round: chosen.cards,
  without: chosen.without,
  put_back: chosen.putBack,
  rulings: chosen.rulings,
  hourglass_s: chosen.hourglass,
  unresolved: chosen.unresolved,
});

/** The choices; `choose(patch)` changes some. */
export const setupPanels = (chosen, choose) => html`
  ${box(chosen, choose)} ${variants(chosen, choose)} ${houseRules(chosen, choose)}
`;

/** What single photos are scored by; `choose(patch)` changes it. */
export const photoTerms = (settings, choose) => html`
  ${options({
    legend: t("settings.edition"),
    name: "edition",
    chosen: settings.edition,
    choices: EDITIONS.map((value) => ({ value, label: t(`edition.${value}`) })),
    onChoose: (edition) => choose({ edition }),
  })}
  ${rulingChoices(settings.rulings, ["lone_touch", "exactly_pair"], (rulings) => choose({ rulings }))}
`;

/** The table's rules in words, so that nobody has to remember them. */
export const rulesInPlay = (settings) => html`
  <li>${t("setup.edition")}: ${t(`edition.${settings.edition}`)}</li>
  <li>${t(`setup.cards.${settings.cards_per_round}`)}</li>
  <li>${t("setup.hourglass")}: ${t("setup.seconds", { n: settings.hourglass_s })}</li>
  ${settings.without.map((kind) => html`<li>${t(`setup.without.${kind}`)}</li>`)}
  ${settings.put_back ? html`<li>${t("setup.putBack")}</li>` : nothing}
  ${Object.keys(RULINGS).map(
    (name) => html`<li>${t(`ruling.${name}`)} <b>${t(`ruling.${name}.${settings.rulings[name]}`)}</b></li>`,
  )}
  <li>${t("setup.unresolved")} <b>${t(`setup.unresolved.${settings.unresolved}`)}</b></li>
`;

const box = ({ edition, cards, hourglass }, choose) => html`
  <section class="panel">
    ${options({
      legend: t("setup.edition"),
      name: "edition",
      chosen: edition,
      choices: EDITIONS.map((value) => ({
        value,
        label: t(`edition.${value}`),
        what: t(`setup.edition.${value}`),
      })),
      onChoose: (value) => choose({ edition: value }),
    })}
    ${options({
      legend: t("setup.cards"),
      name: "cards",
      chosen: String(cards),
      choices: ["6", "8"].map((value) => ({ value, label: t(`setup.cards.${value}`) })),
      onChoose: (value) => choose({ cards: Number(value) }),
    })}
    <div class="stepper" role="group" aria-label=${t("setup.hourglass")}>
      <span>${icon("time")} ${t("setup.hourglass")}</span>
      ${step("setup.shorter", "minus", () => choose({ hourglass: within(hourglass - STEP_S) }))}
      <output>${t("setup.seconds", { n: hourglass })}</output>
      ${step("setup.longer", "plus", () => choose({ hourglass: within(hourglass + STEP_S) }))}
    </div>
  </section>
`;

const step = (label, sign, onStep) =>
  html`<button aria-label=${t(label)} @click=${onStep}>${icon(sign)}</button>`;

const within = (seconds) => Math.min(LONGEST_S, Math.max(SHORTEST_S, seconds));

const variants = ({ without, putBack }, choose) => html`
  <section class="panel">
    <h2>${t("setup.variants")}</h2>
    ${["exactly", "more_sum4"].map((kind) =>
      onOff({
        label: t(`setup.without.${kind}`),
        on: without.includes(kind),
        onToggle: () => choose({ without: toggled(without, kind) }),
      }),
    )}
    ${onOff({
      label: t("setup.putBack"),
      what: t("setup.putBack.what"),
      on: putBack,
      onToggle: () => choose({ putBack: !putBack }),
    })}
  </section>
`;

const toggled = (kinds, kind) =>
  kinds.includes(kind) ? kinds.filter((other) => other !== kind) : [...kinds, kind];

const houseRules = ({ rulings, unresolved }, choose) => html`
  <details class="panel house-rules">
    <summary>${t("setup.rulings")}<small>${t("setup.rulings.what")}</small></summary>
    ${rulingChoices(rulings, Object.keys(RULINGS), (chosen) => choose({ rulings: chosen }))}
    ${options({
      legend: t("setup.unresolved"),
      name: "unresolved",
      chosen: unresolved,
      choices: ["owner", "opponents"].map((value) => ({
        value,
        label: t(`setup.unresolved.${value}`),
      })),
      onChoose: (value) => choose({ unresolved: value }),
    })}
  </details>
`;
