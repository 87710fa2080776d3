/** A layout drawn clean, level by level, seats labelled; with a handler, seats can be tapped. */

import { html, nothing, svg } from "../../../vendor/lit-html.js";
import { colorName, seatName } from "../names.js";
import { t } from "../../../i18n/index.js";
import { cells, EMPTY, fits, LEVELS, place } from "../board.js";
import { PAINT } from "../colors.js";
import { sphere } from "./sphere.js";

const RADIUS = 0.46;
const FIELDS = ["-1.62 -1.62 3.24 3.24", "-1.62 -1.62 3.24 3.24", "-1.2 -1.2 2.4 2.4"];

/**
 * The three levels of a layout side by side.
 *
 * `marks`: {doubtful, culprits, witnesses, contacts}, all seats (contacts: pairs of them); culprits
 * pulse, witnesses are what fulfils a card. `onSeat(seat)` makes every seat a button.
 */
export const layoutDrawing = (layout, marks = {}, onSeat = null) => html`
  <div class="layout" role="group" aria-label=${t("layout.label")}>
    ${LEVELS.map((seats, i) => levelDrawing(layout, i, seats, marks, onSeat))}
  </div>
`;

const levelDrawing = (layout, i, seats, marks, onSeat) => html`
  <figure class="level level-${i + 1}">
    <svg viewBox=${FIELDS[i]} role=${onSeat ? "group" : "img"} aria-label=${spoken(layout, i, seats)}>
      ${i === 0 ? svg`<circle class="tray" r="1.58" />` : beneath(layout, LEVELS[i - 1])}
      ${seats.map((seat) => drawnSeat(layout, seat, marks, onSeat))}
      ${bars(seats, marks)}
    </svg>
    <figcaption>${t(`level.${i + 1}`)}</figcaption>
  </figure>
`;

/** What lies a level lower, faint, for orientation. */
const beneath = (layout, seats) => {
  const letters = cells(layout);
  return svg`<g class="beneath">${seats.map((seat) => {
    const [x, y] = place(seat);
    if (letters[seat] === EMPTY) return nothing;
    return svg`<circle cx=${x} cy=${y} r=${RADIUS} fill=${PAINT[letters[seat]].fill} />`;
  })}</g>`;
};

const drawnSeat = (layout, seat, marks, onSeat) => {
  const letter = cells(layout)[seat];
  const drawn = svg`${onSeat ? svg`<path class="hit" d=${hitArea(seat)} />` : nothing}
    ${picture(layout, seat, letter)} ${rings(seat, marks)}`;
  const classes = `seat ${marked(seat, marks)}`;
  if (!onSeat) return svg`<g class=${classes}>${drawn}</g>`;
  return svg`<g class=${classes} role="button" tabindex="0" data-seat=${seat}
    aria-label=${seatLabel(seat, letter, marks)}
    @click=${() => onSeat(seat)} @keydown=${(event) => pressed(event, () => onSeat(seat))}
  >${drawn}</g>`;
};

function picture(layout, seat, letter) {
  const [x, y] = place(seat);
  const name = svg`<text class="seat-name" x=${x} y=${y + 0.07}>${seat}</text>`;
  if (letter !== EMPTY) return sphere(letter, x, y, RADIUS);
  if (seat[0] === "C" || seat[0] === "R") {
    return svg`<circle class="hole" cx=${x} cy=${y} r=${RADIUS - 0.06} />${name}`;
  }
  return fits(layout, seat)
    ? svg`<circle class="hole small" cx=${x} cy=${y} r="0.2" />${name}`
    : svg`<circle class="speck" cx=${x} cy=${y} r="0.04" />`;
}

function rings(seat, { doubtful = [], culprits = [], witnesses = [] }) {
  const [x, y] = place(seat);
  const ring = (name) => svg`<circle class="ring ${name}" cx=${x} cy=${y} r=${RADIUS + 0.045} />`;
  return svg`
    <circle class="halo" cx=${x} cy=${y} r=${RADIUS + 0.05} />
    ${doubtful.includes(seat) ? svg`${ring("doubtful")}${questionMark(x, y)}` : nothing}
    ${culprits.includes(seat) ? ring("culprit") : nothing}
    ${witnesses.includes(seat) ? ring("witness") : nothing}`;
}

const questionMark = (x, y) => svg`
  <g transform="translate(${x + 0.36} ${y - 0.36})">
    <circle class="question" r="0.19" /><text class="question-mark" y="0.1">?</text>
  </g>`;

/** The contacts that a verdict names, as far as they lie on this level. */
const bars = (seats, { contacts = [], culprits = [] }) =>
  contacts
    .filter((pair) => pair.every((seat) => seats.includes(seat)))
    .map(([a, b]) => {
      const [[x1, y1], [x2, y2]] = [place(a), place(b)];
      const kind = culprits.includes(a) ? "culprit" : "witness";
      return svg`<line class="contact ${kind}" x1=${x1 + 0.36 * (x2 - x1)} y1=${y1 + 0.36 * (y2 - y1)}
        x2=${x2 - 0.36 * (x2 - x1)} y2=${y2 - 0.36 * (y2 - y1)} />`;
    });

/** Where a finger finds a seat: a whole sector, larger than the sphere. */
function hitArea(seat) {
  if (seat === "C") return "M-0.5 0 a0.5 0.5 0 1 0 1 0 a0.5 0.5 0 1 0 -1 0";
  if (seat === "A") return "M-1.2 -1.2 h2.4 v2.4 h-2.4 z";
  const middle = Number(seat[1]) + (seat[0] === "T" ? 0.5 : 0);
  const at = (turn, radius) => {
    const angle = (Math.PI * turn) / 3;
    return `${(radius * Math.sin(angle)).toFixed(3)} ${(-radius * Math.cos(angle)).toFixed(3)}`;
  };
  const inner = seat[0] === "T" ? 0.02 : 0.5;
  const [from, to] = [middle - 0.5, middle + 0.5];
  return `M${at(from, inner)} L${at(from, 1.6)} A1.6 1.6 0 0 1 ${at(to, 1.6)} L${at(to, inner)} Z`;
}

const marked = (seat, { culprits = [], witnesses = [] }) =>
  culprits.includes(seat) ? "pulsing" : witnesses.includes(seat) ? "shown" : "";

/** A seat and what lies there, in words. */
export const seatLabel = (seat, letter, { doubtful = [], culprits = [] } = {}) =>
  [
    t("seat.holds", { seat: seatName(seat), color: colorName(letter) }),
    ...(doubtful.includes(seat) ? [t("seat.doubtful")] : []),
    ...(culprits.includes(seat) ? [t("seat.culprit")] : []),
  ].join(", ");

function spoken(layout, i, seats) {
  const letters = cells(layout);
  const there = seats.filter((seat) => letters[seat] !== EMPTY);
  const words = there.map((seat) => `${seat} ${colorName(letters[seat])}`).join(", ");
  return `${t(`level.${i + 1}`)}: ${words || t("level.empty")}`;
}

/** Enter and space press what is drawn as a button. */
export function pressed(event, action) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  action();
}
