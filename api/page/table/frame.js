/** The frame of every screen at a table: where the game stands, the ways about, and what is lost. */

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";
import { state } from "../shell/store.js";
import { sitDown, standUp } from "./table.js";
import { alarm } from "../trust/alarm.js";
import { icon } from "../parts/icons.js";
import { openRound, roundsIn } from "./phase.js";

/** What a screen at a table does when it is shown and left. */
export const enterTable = ({ id }) => sitDown(id);
export function leaveTable() {
  const { table } = state;
  if (table && !location.hash.startsWith(`#/table/${table.id}`)) standUp();
}

/** The screen: `title` as heading, `view(now)` once the table is known. */
export const atTable = (table, tab, title, view) => {
  if (table?.gone) return lost(table, title);
  if (!table?.now) return html`<h1 tabindex="-1">${title}</h1><p class="busy">${t("table.opening")}</p>`;
  return html`
    ${tableBar(table.now, tab)}
    <h1 tabindex="-1">${title}</h1>
    ${alarm(table.now)} ${view(table.now)}
  `;
};

/** Which round it is, in words. */
export function whichRound(now) {
  if (now.finished) return t("table.over");
  const round = openRound(now) ?? now.rounds.at(-1);
  return round ? t("table.round", { n: round.number, all: roundsIn(now) }) : t("table.beginning");
}

const TABS = [
  { name: "play", end: "", sign: "time" },
  { name: "score", end: "/score", sign: "score" },
  { name: "devices", end: "/devices", sign: "devices" },
];

const tableBar = (now, tab) => html`
  <nav class="table-bar" aria-label=${t("table.ways")}>
    ${TABS.map(
      ({ name, end, sign }) => html`
        <a
          class="tab"
          href="#/table/${now.id}${end}"
          aria-current=${name === tab ? "page" : "false"}
        >
          ${icon(sign)}
          <span>${name === "play" ? whichRound(now) : t(`table.${name}`)}</span>
        </a>
      `,
    )}
  </nav>
`;

const LOST = {
  no_table: "table.noTable",
  ledger_broken: "table.broken",
  unknown_game: "table.unknownGame",
};

const lost = ({ gone }, title) => html`
  <h1 tabindex="-1">${title}</h1>
  <p class="message unsure" role="alert">
    ${icon("doubt")}<span>${t(LOST[gone] ?? "table.noToken")}</span>
  </p>
  <div class="actions">
    <a class="button" href="#/">${t("table.home")}</a>
    ${gone in LOST
      ? nothing
      : html`<a class="button primary" href="#/join">${icon("join")} ${t("home.join")}</a>`}
  </div>
`;
