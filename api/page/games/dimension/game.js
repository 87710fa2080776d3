/** Dimension for the screens: what `games/index.js` says a game has. */

export { nextRound } from "./cards/reveal-actions.js";
export { cardPicker } from "./cards/picker.js";
export { loadCards } from "./cards/deck.js";
export { handovers } from "./coins.js";
export { changed, NO_SPHERES as NO_POSITION, sameLayout as samePosition } from "./board.js";
export { howToHold } from "./drawings/how-to-hold.js";
export { outlines } from "./drawings/outlines.js";
export { disputedThing, howToSettle, positionWords, problemWords } from "./names.js";
export {
  bestQuestion,
  claimQuestion,
  correction,
  photoQuestion,
  positionIn,
  submission,
  trayQuestion,
} from "./questions.js";
export { reviewPanel } from "./reading/review.js";
export { followClock } from "./round/hourglass-signals.js";
export { judged } from "./round/judge.js";
export { endsAt, stageOf, stages, trayNote } from "./round/stages.js";
export { csvColumns, finalWords, scoreColumns } from "./score.js";
export {
  MOST_PLAYERS,
  photoTerms,
  rulesInPlay,
  setupDefaults,
  setupPanels,
  tableRequest,
} from "./setup.js";
export { preparations } from "./start-photos/panel.js";
export { bestPanel, verdictPanel, verdictSpoken } from "./verdict.js";
