/** Games: those this device has seen, and the solo ones over time. */

import { ApiError, call } from "../../service/api.js";
import { t, tn } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { day, soloPlot } from "./plot.js";
import { state, update } from "../../shell/store.js";
import { tokenFor } from "../../table/table.js";
import { forgetTable } from "../../table/known-tables.js";
import { html, nothing } from "../../vendor/lit-html.js";

export const title = () => t("games.title");

export async function enter() {
  update("look", { solo: [] });
  await Promise.all(soloTables().map(loadSolo));
}

export const view = ({ tables, look }) => html`
  <h1 tabindex="-1">${t("games.title")}</h1>
  ${tables.length === 0
    ? html`<p class="lead">${t("games.none")}</p>`
    : html`<ul class="recent">
        ${tables.map(gameRow)}
      </ul>`}
  ${(look.solo ?? []).map(soloSection)}
  <div class="actions">
    <a class="button primary" href="#/table/new">${icon("table")} ${t("home.table")}</a>
  </div>
`;

const gameRow = (table) => html`
  <li class="game">
    <a class="row" href="#/table/${table.id}">
      <span>
        <b>${table.totals ? standings(table) : table.players.join(", ")}</b>
        <small>${day(table.at ?? 0)}</small>
      </span>
      <span>${table.totals ? icon("check") : tn("home.rounds", table.rounds ?? 0)}</span>
    </a>
    <button class="quiet" aria-label=${t("games.forget")} @click=${() => forgetTable(table.id)}>
      ${icon("close")}
    </button>
  </li>
`;

const standings = ({ totals, winners }) =>
  totals
    .map(({ player, total }) => `${winners?.includes(player) ? "★ " : ""}${player} ${total}`)
    .join(" · ");

const soloSection = ({ player, ways }) => html`
  <section class="panel">
    <h2>${t("games.solo", { player })}</h2>
    ${ways.map(([way, games]) => html`${ways.length > 1 ? html`<h3>${way}</h3>` : nothing}${soloPlot(games)}`)}
  </section>
`;

/** The latest solo table of each player whom this device knows. */
function soloTables() {
  const seen = new Set();
  return state.tables.filter(({ id, players }) => {
    const [player] = players;
    if (players.length !== 1 || !tokenFor(id) || seen.has(player)) return false;
    seen.add(player);
    return true;
  });
}

async function loadSolo({ id }) {
  try {
    const { player, games } = await call("solo", { path: { table: id }, token: tokenFor(id) });
    if (games.length === 0) return;
    const ways = byWay(games);
    update("look", { solo: [...(state.look.solo ?? []), { player, ways }] });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // the table is gone, and its history with it
  }
}

/** Games by the way they were played, oldest first. */
function byWay(games) {
  const ways = new Map();
  for (const game of [...games].reverse()) ways.set(game.way, [...(ways.get(game.way) ?? []), game]);
  return [...ways];
}
