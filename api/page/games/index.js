/**
 * The games that the page knows, by the id in a table's JSON. A game is a folder here and a line in
 * `GAMES`; nothing outside this folder names one.
 *
 * Its `entry.js` says what is known before it is played: {id, samples, routes, styles, load}. What
 * `load` imports is what the screens ask of a game:
 *
 *   positions    NO_POSITION, positionIn, changed, samePosition, positionWords, problemWords
 *   questions    submission, correction, photoQuestion, bestQuestion, trayQuestion, claimQuestion
 *   one photo    howToHold, outlines, reviewPanel, loadCards, cardPicker, photoTerms, verdictPanel,
 *                verdictSpoken, bestPanel
 *   a table      MOST_PLAYERS, setupDefaults, setupPanels, tableRequest, rulesInPlay, preparations
 *   a round      nextRound, stageOf, stages, endsAt, followClock, trayNote, judged, handovers
 *   the score    scoreColumns, finalWords, csvColumns, disputedThing, howToSettle
 */

import { speakOfGame } from "../i18n/index.js";
import { loadStyles } from "../shell/styles.js";
import { DIMENSION } from "./dimension/entry.js";

const GAMES = [DIMENSION];
const [USUAL] = GAMES; // what a table or a photo is of that does not say

const entries = new Map(GAMES.map((entry) => [entry.id, entry]));
const loaded = new Map();

/** Sample photos of all games, each with its `game`. */
export const SAMPLES = GAMES.flatMap(({ id, samples }) => samples.map((one) => ({ ...one, game: id })));

/** The screens that games add to those of every game. */
export const GAME_ROUTES = GAMES.flatMap(({ routes }) => routes);

/** Whether the page can show this game. */
export const knowsGame = (id = USUAL.id) => entries.has(id);

/** The game of a table; `game` is missing where a service knows of one game only. */
export const gameIdAt = (now) => now.game ?? now.settings?.game ?? USUAL.id;

/** Have a game ready, with its words and looks; from then on the page speaks of it. */
export async function loadGame(id = USUAL.id) {
  const { load, styles } = entries.get(id);
  const texts = speakOfGame(`../games/${id}/texts`);
  const [game] = await Promise.all([load(), texts, loadStyles(styles)]);
  loaded.set(id, game);
  return game;
}

/** A game that is ready: what its `game.js` exports. */
export const gameOf = (id = USUAL.id) => loaded.get(id);

/** The game of a table, which is ready once the table is shown. */
export const gameAt = (now) => gameOf(gameIdAt(now));
