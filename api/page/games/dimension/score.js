/** What Dimension adds to the score: points at the start, bonus tokens, and what they are worth. */

import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { plain, signed } from "../../parts/numbers.js";
import { html, nothing } from "../../vendor/lit-html.js";

const START_POINTS = 10; // as rules/dimension/editions.py

/** Columns before and after those of the rounds, and what stands behind a round's points. */
export const scoreColumns = ({ result }) => ({
  before: [
    {
      head: html`<th scope="col" class="faint" title=${t("score.start")}>${icon("plus")}</th>`,
      cell: () => html`<td class="faint">${START_POINTS}</td>`,
    },
  ],
  after: [
    {
      head: html`<th scope="col" aria-label=${t("score.tokens")}>${icon("star")}</th>`,
      cell: ({ bonus }) => html`<td>${bonus}</td>`,
    },
    ...(result ? [converted(result.scores)] : []),
  ],
  afterPoints: ({ bonus }) => (bonus ? html`<sup>${"★".repeat(bonus)}</sup>` : nothing),
});

const converted = (scores) => ({
  head: html`<th scope="col">${t("score.conversion")}</th>`,
  cell: ({ player }) => html`<td>${signed(scores.find((one) => one.player === player).conversion)}</td>`,
});

/** How a player's total came about. */
export const finalWords = (score) =>
  t("result.sum", {
    points: plain(score.points),
    tokens: score.bonus_tokens,
    conversion: signed(score.conversion),
  });

/** The columns of a saved game: a name, and what a tray of a round has there. */
export const csvColumns = [
  ["layout", ({ tray }) => tray.layout],
  ["spheres", ({ tray }) => tray.score.spheres],
  ["failed", ({ tray }) => tray.score.failed],
  ["penalty", ({ tray }) => tray.score.penalty],
  ["points", ({ tray }) => tray.score.points],
  ["bonus", ({ tray }) => tray.score.bonus],
  ["late", ({ tray }) => tray.late],
  ["corrections", ({ tray }) => tray.corrections.length],
  ["cards", ({ round }) => round.cards.join(" ")],
];
