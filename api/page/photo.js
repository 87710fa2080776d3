/** Scoring one photo, step by step: shots → reading → corrections → cards → score. */

import { ApiError, call, photoForm } from "./api.js";
import { changed, NO_SPHERES } from "./parts/board.js";
import { prepareShot, releaseShot } from "./shot.js";
import { emptyPhoto, state, update } from "./store.js";

let reads = 0;
let asked = 0;

/** Read photos of one untouched tray; what was known of another is forgotten. */
export async function scorePhotos(blobs) {
  const { cards, shots } = state.photo;
  shots.forEach(releaseShot);
  update("photo", { ...emptyPhoto(), cards });
  await read(blobs, []);
}

/** Read the tray again together with a view from another side. */
export async function addAngle(blob) {
  await read([blob], state.photo.shots);
}

/** Go on without a photo: the layout is tapped in. */
export function enterByHand() {
  reads += 1;
  update("photo", { ...emptyPhoto(), cards: state.photo.cards, layout: NO_SPHERES });
}

/** Put another letter on a seat. */
export function correct(seat, letter) {
  const { layout, earlier } = state.photo;
  update("photo", { earlier: [...earlier, layout], layout: changed(layout, seat, letter) });
  void rescore();
}

/** Take the last correction back. */
export function undo() {
  const { earlier } = state.photo;
  if (earlier.length === 0) return;
  update("photo", { layout: earlier.at(-1), earlier: earlier.slice(0, -1) });
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
  const solution = await call("solve", { json: { cards, ...terms() } });
  if (state.photo.cards === cards) update("photo", { solution, conflict: solution.conflict });
}

/** Score what lies there now; an answer that is out of date by then is dropped. */
export async function rescore() {
  const { layout, reading, earlier, cards } = state.photo;
  const turn = ++asked;
  if (!layout || cards.length === 0) {
    update("photo", { score: null });
    return;
  }
  const untouched = reading?.layout === layout && earlier.length === 0;
  const json = { cards, ...terms(), ...(untouched ? { reading } : { layout }) };
  try {
    const score = await call("score", { json });
    if (turn === asked) update("photo", { score, turned: firstToSee(score), problem: null });
  } catch (error) {
    if (turn === asked) fail(error);
  }
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
    update("photo", { reading, layout: reading.layout, earlier: [], busy: false });
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

const terms = () => ({ edition: state.settings.edition, rulings: state.settings.rulings });

function fail(error) {
  if (!(error instanceof ApiError)) throw error;
  update("photo", { busy: false, problem: { code: error.code, message: error.message } });
}
