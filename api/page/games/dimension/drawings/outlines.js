/** Rings on the live view that lock on to the spheres. */

import { nothing, svg } from "../../../vendor/lit-html.js";
import { sphere } from "./sphere.js";

const SURE = 0.98; // as vision/dimension/reporting/advice.py

export const outlines = ({ seats = {}, size, status }) => svg`
  <svg class="outlines ${status}" viewBox="0 0 ${size[0]} ${size[1]}"
    preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    ${Object.values(seats)
      .sort((a, b) => a.radius - b.radius)
      .map(outline)}
  </svg>`;

const outline = ({ color, uv: [x, y], radius, p }) =>
  color === null
    ? nothing
    : svg`<circle class="ring ${p < SURE ? "doubtful" : "read"}" cx=${x} cy=${y} r=${radius}
        stroke-width=${radius * 0.1} />${sphere(color, x, y, radius * 0.35)}`;
