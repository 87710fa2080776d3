/** How many points the cards of a round allow: only for those who ask. */

import { html, nothing } from "../../vendor/lit-html.js";
import { ApiError, call } from "../../service/api.js";
import { number, t, tn } from "../../i18n/index.js";
import { state, update } from "../../shell/store.js";
import { icon } from "../../parts/icons.js";
import { bestOfRound } from "./questions.js";

/** The best that a table's cards allow, in `state.look.hints` by round. */
export async function solveRound(now, round) {
  try {
    const solution = await call("solve", { json: bestOfRound(now, round) });
    update("look", { hints: { ...state.look.hints, [round.number]: solution } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** The button that asks; gone once it was asked. */
export const hintButton = (now, round, hints = {}) =>
  hints?.[round.number]
    ? nothing
    : html`<button @click=${() => void solveRound(now, round)}>
        ${icon("star")} ${t("hint.ask")}
      </button>`;

/** The answer, without the layout that earns it. */
export const hint = (round, hints = {}) => {
  const solution = hints?.[round.number];
  if (!solution) return nothing;
  return html`
    <p class="message sure hint" role="status">
      ${icon("star")}
      <span>
        <b>${t("hint.points", { n: solution.points })}</b>
        ${solution.bonus ? t("hint.bonus") : nothing}
        ${tn("hint.layouts", solution.optimal, { n: number(solution.optimal) })}
        ${solution.conflict.length > 0 ? t("hint.conflict") : nothing}
      </span>
    </p>
  `;
};
