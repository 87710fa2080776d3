/** The live view: the camera's picture, what is seen in it outlined, one word of advice. */

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";
import { STILL_ANSWERS } from "../device/live.js";
import { icon } from "./icons.js";

/** The viewfinder; the screen's `shown` puts the camera's stream into its video. */
export const viewfinder = (game, camera) => {
  const advice = adviceFor(camera.seen);
  return html`
    <div class="viewfinder ${camera.seen?.status ?? ""}">
      <video muted playsinline aria-label=${t("viewfinder.label")}></video>
      ${camera.seen ? game.outlines(camera.seen) : nothing}
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
