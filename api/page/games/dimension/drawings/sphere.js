/** Spheres as SVG: defined once in the page, used everywhere by reference. */

import { html, render, svg } from "../../../vendor/lit-html.js";
import { COLORS, PAINT } from "../colors.js";

/** The hidden drawing that holds the definitions. */
const definitions = () => html`
  <svg class="definitions" aria-hidden="true" width="0" height="0">
    <defs>
      <radialGradient id="gloss" cx="0.36" cy="0.28" r="0.75">
        <stop offset="0" stop-color="#fff" stop-opacity="0.5" />
        <stop offset="0.35" stop-color="#fff" stop-opacity="0.08" />
        <stop offset="1" stop-color="#000" stop-opacity="0.28" />
      </radialGradient>
      ${COLORS.map(definition)}
    </defs>
  </svg>
`;

/** A sphere of a colour at a place. */
export const sphere = (color, x, y, radius) =>
  svg`<use href="#sphere-${color}" transform="translate(${x} ${y}) scale(${radius})" />`;

/** A sphere as a picture of its own. */
export const sphereIcon = (color) => html`
  <svg class="sphere-icon" viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true">
    ${color ? sphere(color, 0, 0, 1) : emptySeat(0, 0, 0.9)}
  </svg>
`;

/** The place of a sphere that is not there. */
export const emptySeat = (x, y, radius) =>
  svg`<circle class="hole" cx=${x} cy=${y} r=${radius} />`;

function definition(color) {
  const { fill, ink, pattern } = PAINT[color];
  return svg`
    <g id="sphere-${color}">
      <circle r="1" fill=${fill} />
      ${PATTERNS[pattern](ink)}
      <circle r="1" fill="url(#gloss)" />
      <circle class="edge" r="0.97" fill="none" stroke-width="0.06" />
      <circle r="0.6" fill=${fill} />
      <text class="letter" y="0.34" font-size="0.95" fill=${ink}>${color}</text>
    </g>`;
}

const around = (number, draw) =>
  Array.from({ length: number }, (_, i) => draw((360 * i) / number));

const PATTERNS = {
  dots: (ink) =>
    around(8, (turn) => svg`<circle cy="-0.79" r="0.12" fill=${ink} transform="rotate(${turn})" />`),
  stripes: (ink) =>
    around(
      12,
      (turn) => svg`<rect x="-0.05" y="-1" width="0.1" height="0.34" fill=${ink}
        transform="rotate(${turn})" />`,
    ),
  teeth: (ink) =>
    around(
      6,
      (turn) => svg`<path d="M-0.2 -0.98 L0 -0.64 L0.2 -0.98 Z" fill=${ink}
        transform="rotate(${turn})" />`,
    ),
  ring: (ink) =>
    svg`<circle r="0.79" fill="none" stroke=${ink} stroke-width="0.1" />`,
  plain: () => svg``,
};

// Loaded once, defined once: home draws no spheres and does not wait for them.
const holder = document.createElement("div");
render(definitions(), holder);
document.body.append(holder);
