/** Home: score one photo, try a sample, start or join a table, go back to one. */

import { inOurs, t, tn } from "../i18n/index.js";
import { icon } from "../parts/icons.js";
import { untilLoaded } from "../shell/router.js";
import { SAMPLES } from "../games/index.js";
import { update } from "../shell/store.js";
import { html, nothing } from "../vendor/lit-html.js";

const SHOWN = 4; // tables; the others are among the games

export const title = () => t("home.title");

export const view = (state) => html`
  <h1 tabindex="-1">${t("home.title")}</h1>
  <p class="lead">${t("home.lead")}</p>
  <nav class="ways" aria-label=${t("home.ways")}>
    <a class="way primary" href="#/photo">
      ${icon("camera")}<b>${t("home.photo")}</b><span>${t("home.photo.what")}</span>
    </a>
    <a class="way" href="#/table/new">
      ${icon("table")}<b>${t("home.table")}</b><span>${t("home.table.what")}</span>
    </a>
    <a class="way" href="#/join">
      ${icon("join")}<b>${t("home.join")}</b><span>${t("home.join.what")}</span>
    </a>
  </nav>
  ${samples(state)} ${recent(state)}
`;

const samples = (state) => html`
  <section aria-labelledby="samples-title">
    <h2 id="samples-title">${t("home.samples")}</h2>
    <ul class="samples">
      ${SAMPLES.map(
        (sample) => html`
          <li>
            <button
              class="sample"
              ?disabled=${state.photo.busy}
              @click=${() => void score(sample)}
            >
              <img src="${sample.picture}" alt="" width="320" height="240" />
              <span>${inOurs(sample.title)}</span>
            </button>
          </li>
        `,
      )}
    </ul>
  </section>
`;

/** What scoring needs is loaded by the first tap: home is there the sooner. */
async function score(sample) {
  update("photo", { busy: true });
  const { scoreSample } = await untilLoaded(() => import("./photo/scoring.js"));
  await scoreSample(sample);
}

const recent = (state) =>
  state.tables.length === 0
    ? nothing
    : html`
        <section aria-labelledby="recent-title">
          <h2 id="recent-title">${t("home.recent")}</h2>
          <ul class="recent">
            ${state.tables.slice(0, SHOWN).map(
              (table) => html`
                <li>
                  <a class="row" href="#/table/${table.id}">
                    <b>${table.players.join(", ")}</b>
                    <span>${tn("home.rounds", table.rounds ?? 0)}</span>
                  </a>
                </li>
              `,
            )}
          </ul>
          <a class="button quiet" href="#/games">${t("home.games")} ${icon("next")}</a>
        </section>
      `;
