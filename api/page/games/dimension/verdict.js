/** The verdict: points, then card by card yes or no with the reason, culprits pulsing. */

import { html, nothing } from "../../vendor/lit-html.js";
import { cardName, seatName } from "./names.js";
import { inOurs, listed, number, percent, t, tn } from "../../i18n/index.js";
import { cardPicture } from "./drawings/card.js";
import { icon } from "../../parts/icons.js";
import { layoutDrawing } from "./drawings/layout.js";
import { photoOverlay } from "./drawings/overlay.js";

const SETTLED = 0.995; // as vision/dimension/reporting/doubt.py

/**
 * A scored tray. `shot` and `reading` may be null; `turned` is the place of the card that is
 * looked at; `onTurn(place)` turns to another one.
 */
export const verdictPanel = ({ shot, reading, position: layout, score, turned, onTurn }) => {
  const marks = verdictMarks(score.verdicts[turned]);
  return html`
    <div class="verdict">
      ${pointsSum(score)}
      <div class="evidence" role="group" tabindex="0" aria-label=${t("verdict.evidence")}>
        ${shot ? html`<div class="pane">${photoOverlay(shot, reading, layout, marks)}</div>` : nothing}
        <div class="pane drawing">${layoutDrawing(layout, marks)}</div>
      </div>
      <ol class="verdicts" aria-label=${t("verdict.cards")}>
        ${score.verdicts.map((verdict, i) => verdictRow(verdict, i, turned, onTurn))}
      </ol>
      ${doubtBox(score.doubt)}
    </div>
  `;
};

/** What a verdict points at, as marks for photo and drawing. */
export function verdictMarks(verdict) {
  if (!verdict) return {};
  const { fulfilled, seats, contacts } = verdict;
  return { [fulfilled ? "witnesses" : "culprits"]: seats, contacts };
}

/** A verdict in words to be read aloud. */
export const verdictSpoken = ({ card, fulfilled, reason }) =>
  `${cardName(card)}. ${t(fulfilled ? "verdict.yes" : "verdict.no")} ${inOurs(reason)}`;

/** Points, and how they come about. */
export const pointsSum = (score) => html`
  <section class="points" aria-label=${t("verdict.points")}>
    <p class="big"><b>${score.points}</b> ${tn("verdict.pointsWord", Math.abs(score.points))}</p>
    <p class="sum">
      ${tn("verdict.spheres", score.spheres)}
      ${score.penalty ? html`<span class="no">− ${tn("verdict.penalty", score.failed, { p: score.penalty })}</span>` : nothing}
      ${score.bonus ? html`<span class="yes">+ ${tn("verdict.tokens", score.bonus)}</span>` : nothing}
    </p>
  </section>
`;

const verdictRow = ({ card, fulfilled, reason }, i, turned, onTurn) => html`
  <li>
    <button
      class="verdict-row ${fulfilled ? "fulfilled" : "failed"}"
      aria-current=${i === turned ? "true" : "false"}
      @click=${() => onTurn(i)}
    >
      ${cardPicture(card)}
      <span class="name">${cardName(card)}</span>
      <span class="answer">
        ${icon(fulfilled ? "check" : "cross")} ${t(fulfilled ? "verdict.yes" : "verdict.no")}
      </span>
      <span class="reason">${inOurs(reason)}</span>
    </button>
  </li>
`;

/** Where the reading leaves the points open: how probable which are, and what decides. */
const doubtBox = (doubt) => {
  if (!doubt || doubt.points.length < 2 || doubt.points[0].p >= SETTLED) return nothing;
  return html`
    <section class="doubt">
      <h2>${icon("doubt")} ${t("doubt.title")}</h2>
      <ul>
        ${doubt.points.slice(0, 4).map(
          ({ points, p }) => html`
            <li>
              <span>${points} ${tn("verdict.pointsWord", Math.abs(points))}</span>
              <meter min="0" max="1" .value=${p}></meter> <b>${percent(p)}</b>
            </li>
          `,
        )}
      </ul>
      ${doubt.decisive.length > 0
        ? html`<p>${t("doubt.decisive", { seats: listed(doubt.decisive.slice(0, 3).map(seatName)) })}</p>`
        : nothing}
    </section>
  `;
};

/** What would have been best, drawn. */
export const bestPanel = (solution) => html`
  <section class="best" aria-labelledby="best-title">
    <h2 id="best-title">
      ${icon("star")} ${t("best.title", { n: solution.points })} ${tn("verdict.pointsWord", solution.points)}
    </h2>
    <p>
      ${solution.bonus ? `${tn("verdict.tokens", solution.bonus)}. ` : nothing}
      ${tn("best.layouts", solution.optimal, { n: number(solution.optimal) })}
      ${solution.conflict.length > 0
        ? t("best.conflict", { cards: listed(solution.conflict.map(cardName)) })
        : nothing}
    </p>
    ${layoutDrawing(solution.layout)}
  </section>
`;
