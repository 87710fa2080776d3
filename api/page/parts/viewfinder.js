/** The live view: the camera's picture, outlines that lock on to the spheres, one word of advice. */

import { html, nothing, svg } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";
import { STILL_ANSWERS } from "../live.js";
import { icon } from "./icons.js";
import { sphere } from "./sphere.js";

/** The viewfinder; the screen's `shown` puts the camera's stream into its video. */
export const viewfinder = (camera) => {
  const advice = adviceFor(camera.seen);
  return html`
    <div class="viewfinder ${camera.seen?.status ?? ""}">
      <video muted playsinline aria-label=${t("viewfinder.label")}></video>
      ${camera.seen ? outlines(camera.seen) : nothing}
      <p class="advice" role="status">
        ${icon(advice === "hold" ? "check" : "eye")} ${t(`advice.${advice}`)}
      </p>
      ${camera.still > 0
        ? html`<progress class="stillness" max=${STILL_ANSWERS} .value=${camera.still}
            aria-label=${t("advice.hold")}></progress>`
        : nothing}
    </div>
  `;
};

/** One thing to do: the gravest; to hold still once the reading is certain, if it is wanted. */
const adviceFor = (seen) => {
  if (!seen) return "start";
  if (seen.certain) return seen.wanted ? "hold" : "next";
  return seen.advice[0];
};

const outlines = ({ seats = {}, size, status }) => svg`
  <svg class="outlines ${status}" viewBox="0 0 ${size[0]} ${size[1]}"
    preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    ${Object.values(seats)
      .sort((a, b) => a.radius - b.radius)
      .map(outline)}
  </svg>`;

const outline = ({ color, uv: [x, y], radius, p }) =>
  color === null
    ? nothing
    : svg`<circle class="ring ${p < 0.98 ? "doubtful" : "read"}" cx=${x} cy=${y} r=${radius}
        stroke-width=${radius * 0.1} />${sphere(color, x, y, radius * 0.35)}`;
