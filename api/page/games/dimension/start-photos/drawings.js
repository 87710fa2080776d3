/** A tray before the game: how to photograph it, and what was measured, drawn on the photo. */

import { html, nothing, svg } from "../../../vendor/lit-html.js";
import { t } from "../../../i18n/index.js";
import { photoPicture } from "../../../parts/photo.js";
import { COLORS } from "../colors.js";
import { sphere } from "../drawings/sphere.js";

/** The photo with rings round the holes and letters on the spheres in storage. */
export const measuredOverlay = (shot, { seats, storage }) =>
  photoPicture(shot, {
    label: t("measure.label"),
    drawn: svg`
      ${Object.entries(seats).map(([seat, place]) => (/^[CR]/.test(seat) ? hole(place) : nothing))}
      ${Object.values(storage).map(stored)}`,
  });

const hole = ({ uv: [x, y], radius }) => svg`
  <circle class="ring-ground" cx=${x} cy=${y} r=${0.7 * radius} stroke-width=${radius * 0.2} />
  <circle class="ring witness" cx=${x} cy=${y} r=${0.7 * radius} stroke-width=${radius * 0.12} />`;

const stored = ({ uv: [x, y], radius, color }) => svg`
  <circle class="ring-ground" cx=${x} cy=${y} r=${radius} stroke-width=${radius * 0.16} />
  <circle class="ring read" cx=${x} cy=${y} r=${radius} stroke-width=${radius * 0.1} />
  ${color ? sphere(color, x, y, radius * 0.45) : nothing}`;

/** How the tray should lie: holes empty, all fifteen spheres in storage. */
export const startTray = () => html`
  <div class="how">
    <svg viewBox="-60 -60 120 120" aria-hidden="true">
      <circle class="tray" r="57" />
      ${[[0, 0], ...ring(6, 17, 0)].map(([x, y]) => svg`<circle class="hole wide" cx=${x} cy=${y} r="6" />`)}
      ${COLORS.map((color, k) => slot(color, k))}
    </svg>
    <ul>
      <li>${t("measure.storage")}</li>
      <li>${t("measure.empty")}</li>
      <li>${t("how.tilt")}</li>
    </ul>
  </div>
`;

const ring = (many, radius, turn) =>
  Array.from({ length: many }, (_, i) => {
    const angle = (2 * Math.PI * (i + turn)) / many;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });

const slot = (color, k) => svg`
  <g transform="rotate(${72 * k}) translate(0 -44)">
    ${[-13, 0, 13].map((x) => sphere(color, x, 0, 6.2))}
  </g>`;
