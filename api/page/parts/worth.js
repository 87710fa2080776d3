/** What a position is worth as it stands, or what is wrong with it. */

import { html, nothing } from "../vendor/lit-html.js";
import { tn } from "../i18n/index.js";
import { icon } from "./icons.js";
import { plain } from "./numbers.js";

export const worth = (game, score) => {
  if (!score) return nothing;
  if (score.problems.length > 0) {
    return html`<ul class="problems" role="status">
      ${score.problems.map((one) => html`<li>${icon("cross")} ${game.problemWords(one)}</li>`)}
    </ul>`;
  }
  return html`<p class="worth" role="status">
    <b>${plain(score.points)}</b> ${tn("verdict.pointsWord", Math.abs(score.points))}
  </p>`;
};
