/** Scoring one photo, step by step: shots → reading → corrections → cards → score. */

import { prepareShot, releaseShot } from "../../device/shot.js";
import { gameOf, loadGame } from "../../games/index.js";
import { edited, undone } from "../../parts/edits.js";
import { ApiError, call, photoForm } from "../../service/api.js";
import { newestOnly } from "../../service/newest.js";
import { go } from "../../shell/router.js";
import { emptyPhoto, state, update } from "../../shell/store.js";

let reads = 0;
const newestScore = newestOnly();

/** The game that single photos are scored by. */
export const photoGame = () => gameOf(state.photo.game);

/** What is known of another photo is forgotten; its cards stay. */
const anew = () => ({ ...emptyPhoto(), cards: state.photo.cards, game: state.photo.game });

/** Fetch a sample and score it with its own cards; ends on the verdict. */
export async function scoreSample({ name, cards, game }) {
  update("photo", { busy: true, problem: null, game });
  const [blob] = await Promise.all([call("sample", { path: { name } }), loadGame(game)]);
  update("photo", { cards });
  go("/photo/verdict");
  await scorePhotos([new File([blob], name, { type: blob.type })]);
}

/** Read photos that show one and the same; what was known of another is forgotten. */
export async function scorePhotos(blobs) {
  state.photo.shots.forEach(releaseShot);
  update("photo", anew());
  await read(blobs, []);
}

/** Read it again together with a view from another side. */
export async function addAngle(blob) {
  await read([blob], state.photo.shots);
}

/** Go on without a photo: what lies there is tapped in. */
export function enterByHand() {
  reads += 1;
  update("photo", { ...anew(), position: photoGame().NO_POSITION });
}

/** Put something else on a place. */
export function correct(place, letter) {
  update("photo", edited(state.photo, photoGame().changed(state.photo.position, place, letter)));
  void rescore();
}

/** Take the last correction back. */
export function undo() {
  update("photo", undone(state.photo));
  void rescore();
}

/** Score by these cards. */
export function setCards(cards) {
  update("photo", { cards, solution: null, bestShown: false, turned: 0 });
  void rescore();
  void findConflict();
}

/** What the cards could have earned at best. */
export async function solveBest() {
  const { cards } = state.photo;
  const solution = await call("solve", { json: photoGame().bestQuestion(cards, state.settings) });
  if (state.photo.cards === cards) update("photo", { solution, conflict: solution.conflict });
}

/** Score what lies there now. */
export function rescore() {
  const { position, reading, earlier, cards } = state.photo;
  if (!position || cards.length === 0) {
    update("photo", { score: null });
    return newestScore();
  }
  const untouched = photoGame().positionIn(reading) === position && earlier.length === 0;
  const asked = { position, reading: untouched ? reading : null, cards };
  return newestScore(
    () => call("score", { json: photoGame().photoQuestion(asked, state.settings) }),
    (score) => update("photo", { score, turned: firstToSee(score), problem: null }),
    fail,
  );
}

/** Send photos off at once; neither the reading nor the copies to be shown wait for each other. */
async function read(blobs, shots) {
  const turn = ++reads;
  update("photo", { busy: true, problem: null });
  const all = [...shots.map((shot) => shot.blob), ...blobs];
  const form = photoForm(all, all.length > 1 ? { same_tray: "true" } : {});
  void show(blobs, shots, turn);
  try {
    const { readings } = await call("read", { form });
    if (turn !== reads) return; // another photo was taken meanwhile
    const [reading] = readings;
    update("photo", { reading, position: photoGame().positionIn(reading), earlier: [], busy: false });
    await rescore();
  } catch (error) {
    if (turn === reads) fail(error);
  }
}

async function show(blobs, shots, turn) {
  const fresh = await Promise.all(blobs.map(prepareShot));
  if (turn === reads) update("photo", { shots: [...shots, ...fresh] });
  else fresh.forEach(releaseShot);
}

/** The card to look at first: one that failed, if any did. */
const firstToSee = ({ verdicts }) =>
  Math.max(
    0,
    verdicts.findIndex(({ fulfilled }) => !fulfilled),
  );

async function findConflict() {
  const { cards } = state.photo;
  if (cards.length < 2) {
    update("photo", { conflict: [] });
    return;
  }
  await solveBest().catch(fail);
}

function fail(error) {
  if (!(error instanceof ApiError)) throw error;
  update("photo", { busy: false, problem: { code: error.code, message: error.message } });
}
