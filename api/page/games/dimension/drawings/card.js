/**
 * Task cards as clear symbols, our own drawings: a code like `touch:BK` becomes a picture.
 *
 * A card's drawing shows what must be (a tick's green) or what must not be (a cross's red), so
 * that it can be read from across the table. Coordinates are those of a 120 × 96 field.
 */

import { html, svg } from "../../../vendor/lit-html.js";
import { cardName } from "../names.js";
import { parseCard } from "../card-code.js";
import { sphere } from "./sphere.js";

/** A card with its picture and its name. */
export const card = (code, { verdict = null, marked = false } = {}) => html`
  <figure class="card ${state(verdict)} ${marked ? "contradicts" : ""}">
    ${cardPicture(code)}
    <figcaption>${cardName(code)}</figcaption>
  </figure>
`;

/** A card's picture alone; its meaning must stand beside it in words. */
export const cardPicture = (code) => {
  const { kind, colors, number } = parseCard(code);
  return html`
    <svg class="card-picture" viewBox="0 0 120 96" aria-hidden="true">
      ${DRAWINGS[kind](colors[0], colors.at(-1), number)}
    </svg>
  `;
};

/** The picture of a kind of cards: colours left open. */
export const kindPicture = (kind) => html`
  <svg class="card-picture" viewBox="0 0 120 96" aria-hidden="true">
    ${DRAWINGS[kind](null, null, kind === "exactly" ? 2 : 0)}
  </svg>
`;

const state = (verdict) => (verdict === null ? "" : verdict ? "fulfilled" : "failed");

const ball = (color, x, y, radius) =>
  color
    ? sphere(color, x, y, radius)
    : svg`<circle class="any-color" cx=${x} cy=${y} r=${radius} />`;
const ghost = (x, y, radius) => svg`<circle class="ghost" cx=${x} cy=${y} r=${radius} />`;
const cross = (x, y, size) =>
  svg`<path class="sign no" d="M${x - size} ${y - size} l${2 * size} ${2 * size} m0 ${-2 * size}
    l${-2 * size} ${2 * size}" />`;
const floor = () => svg`<path class="floor" d="M12 90 H108" />`;
const word = (text, x, y) => svg`<text class="number" x=${x} y=${y}>${text}</text>`;

const DRAWINGS = {
  // Two that meet, held together by a ring round the point of contact.
  touch: (x, y) => svg`
    ${ball(x, 35, 50, 24)} ${ball(y, 85, 50, 24)}
    <circle class="sign yes" cx="60" cy="50" r="7" />
    <path class="sign yes" d="M60 30 v-12 M47 33 l-7 -10 M73 33 l7 -10" />`,
  // Two kept apart by a wall.
  apart: (x, y) => svg`
    ${ball(x, 27, 50, 24)} ${ball(y, 93, 50, 24)}
    <path class="sign no" d="M60 14 V86" /> ${cross(60, 50, 6)}`,
  // The colour up on others: no.
  notabove: (x) => svg`
    ${floor()} ${ghost(37, 68, 20)} ${ghost(79, 68, 20)} ${ball(x, 58, 31, 21)}
    ${cross(97, 26, 9)}`,
  // Something up on the colour: no.
  notbelow: (x) => svg`
    ${floor()} ${ball(x, 37, 68, 21)} ${ghost(79, 68, 20)} ${ghost(58, 31, 20)}
    ${cross(58, 31, 9)}`,
  // So many, and the third one crossed out.
  exactly: (x, _, number) => svg`
    ${word(number, 60, 42)}
    ${[0, 1, 2].map((i) =>
      i < number
        ? ball(x, 24 + 36 * i, 70, 16)
        : svg`${ghost(24 + 36 * i, 70, 15)} ${cross(24 + 36 * i, 70, 6)}`,
    )}`,
  // A heap beside a smaller one.
  more: (x, y) => svg`
    ${floor()} ${ball(x, 24, 72, 17)} ${ball(x, 24, 39, 17)}
    <path class="sign plain" d="M50 34 l20 13 l-20 13" /> ${ball(y, 96, 72, 17)}`,
  sum4: (x, y) => svg`
    ${ball(x, 24, 62, 21)} ${ball(y, 84, 62, 21)}
    <path class="sign plain" d="M54 52 v20 M44 62 h20" /> ${word("= 4", 60, 30)}`,
};
