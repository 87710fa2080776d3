/** A photo with its reading drawn on it; seats can be tapped there as on the clean drawing. */

import { nothing, svg } from "../../../vendor/lit-html.js";
import { photoPicture } from "../../../parts/photo.js";
import { cells, EMPTY, SEATS } from "../board.js";
import { pressed, seatLabel } from "./layout.js";
import { sphere } from "./sphere.js";

const MARGIN = 2.6; // sphere radii round the seats
const LEAST_SEEN = 0.3; // share of a sphere that must be seen to put a letter on it

/** The photo of a shot, cut to its tray, with what `layout` says lies where and `marks` on it. */
export const photoOverlay = (shot, reading, layout, marks = {}, onSeat = null) => {
  if (!reading || Object.keys(reading.seats).length === 0) return photoPicture(shot);
  return photoPicture(shot, {
    drawn: drawnSeats(reading, layout, marks, onSeat),
    box: frame(shot, reading),
    role: onSeat ? "group" : "img",
  });
};

/** The part of the photo that holds the seats. */
function frame({ width, height }, { seats }) {
  const all = Object.values(seats);
  const edge = (k, sign) =>
    Math.max(...all.map(({ uv, radius }) => sign * uv[k] + MARGIN * radius)) * sign;
  const [left, top] = [Math.max(0, edge(0, -1)), Math.max(0, edge(1, -1))];
  const [right, bottom] = [Math.min(width, edge(0, 1)), Math.min(height, edge(1, 1))];
  return `${left} ${top} ${right - left} ${bottom - top}`;
}

/** Seats, those farther from the camera first: of equal spheres the larger one is nearer. */
function drawnSeats({ seats }, layout, marks, onSeat) {
  const letters = cells(layout);
  const doubtful = marks.doubtful ?? [];
  return SEATS.filter((seat) => letters[seat] !== EMPTY || doubtful.includes(seat))
    .sort((a, b) => seats[a].radius - seats[b].radius)
    .map((seat) => drawnSeat(seat, letters[seat], seats[seat], marks, onSeat));
}

function drawnSeat(seat, letter, { uv, radius, visible }, marks, onSeat) {
  const [x, y] = uv;
  const { doubtful = [], culprits = [], witnesses = [] } = marks;
  const pointing = culprits.length + witnesses.length > 0;
  const kind = culprits.includes(seat)
    ? "culprit"
    : witnesses.includes(seat)
      ? "witness"
      : doubtful.includes(seat)
        ? "doubtful"
        : "read";
  const chip = letter !== EMPTY && visible >= LEAST_SEEN;
  const drawn = svg`
    <circle class="ring-ground" cx=${x} cy=${y} r=${radius} stroke-width=${radius * 0.16} />
    <circle class="ring ${kind}" cx=${x} cy=${y} r=${radius} stroke-width=${radius * 0.1} />
    ${chip ? sphere(letter, x, y, radius * 0.42) : nothing}`;
  const classes = `seat ${kind === "culprit" ? "pulsing" : ""} ${
    pointing && kind === "read" ? "aside" : ""
  }`;
  if (!onSeat) return svg`<g class=${classes}>${drawn}</g>`;
  return svg`<g class=${classes} role="button" tabindex="-1" aria-label=${seatLabel(seat, letter, marks)}
    @click=${() => onSeat(seat)} @keydown=${(event) => pressed(event, () => onSeat(seat))}
  ><circle class="hit" cx=${x} cy=${y} r=${radius} />${drawn}</g>`;
}
