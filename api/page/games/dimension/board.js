/** The fourteen seats of a tray, as in rules/dimension/board.py; a test compares the two. */

import { COLORS, PER_COLOR } from "./colors.js";

const SIX = [0, 1, 2, 3, 4, 5];

export const SEATS = ["C", ...SIX.map((i) => `R${i}`), ...SIX.map((i) => `T${i}`), "A"];
export const LEVELS = [SEATS.slice(0, 7), SEATS.slice(7, 13), SEATS.slice(13)];
export const EMPTY = ".";
export const NO_SPHERES = "......./....../.";

export const SUPPORTS = {
  ...Object.fromEntries(LEVELS[0].map((seat) => [seat, [[]]])),
  ...Object.fromEntries(SIX.map((i) => [`T${i}`, [["C", `R${i}`, `R${(i + 1) % 6}`]]])),
  A: [
    ["T0", "T2", "T4"],
    ["T1", "T3", "T5"],
  ],
};

/** Level of a seat: 1, 2 or 3. */
export const level = (seat) => ({ C: 1, R: 1, T: 2, A: 3 })[seat[0]];

/** Where a seat lies seen from above, R0 at the top, in units of the distance of two holes. */
export function place(seat) {
  const around = (turn, radius) => [
    radius * Math.sin((Math.PI * turn) / 3),
    -radius * Math.cos((Math.PI * turn) / 3),
  ];
  if (seat[0] === "R") return around(Number(seat[1]), 1);
  if (seat[0] === "T") return around(Number(seat[1]) + 0.5, 1 / Math.sqrt(3));
  return [0, 0];
}

/** A layout's letters by seat. */
export function cells(layout) {
  const letters = layout.replaceAll("/", "");
  return Object.fromEntries(SEATS.map((seat, i) => [seat, letters[i] ?? EMPTY]));
}

/** Letters by seat as a layout. */
export function notation(letters) {
  return LEVELS.map((seats) => seats.map((seat) => letters[seat]).join("")).join("/");
}

/** The layout with another letter on a seat. */
export const changed = (layout, seat, letter) => notation({ ...cells(layout), [seat]: letter });

/** Whether two layouts are the same, wherever the counting of the ring begins. */
export function sameLayout(a, b) {
  const [bottom, middle, top] = a.split("/");
  const turned = (ring, k) => ring.slice(k) + ring.slice(0, k);
  return [0, 1, 2, 3, 4, 5].some(
    (k) => `${bottom[0]}${turned(bottom.slice(1), k)}/${turned(middle, k)}/${top}` === b,
  );
}

/** How many spheres a layout holds. */
export const count = (layout) => SEATS.length - [...layout].filter((c) => c === EMPTY).length;

/** Whether what lies beneath carries a sphere on this seat, and no neighbour is in its way. */
export function fits(layout, seat) {
  const letters = cells(layout);
  const filled = (other) => letters[other] !== EMPTY;
  const carried = SUPPORTS[seat].some((support) => support.every(filled));
  return carried && !neighbours(seat).some(filled);
}

/** Colours of which a player could not have one more. */
export function exhausted(layout) {
  const letters = [...layout];
  return COLORS.filter((color) => letters.filter((c) => c === color).length >= PER_COLOR);
}

/** Seats too close to this one for two spheres. */
function neighbours(seat) {
  if (seat[0] !== "T") return [];
  const i = Number(seat[1]);
  return [`T${(i + 1) % 6}`, `T${(i + 5) % 6}`];
}
