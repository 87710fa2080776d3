/** How to hold the camera, in a drawing and three short lines. */

import { html } from "../../../vendor/lit-html.js";
import { t } from "../../../i18n/index.js";
import { sphere } from "./sphere.js";

export const howToHold = () => html`
  <div class="how">
    <svg viewBox="0 0 240 150" aria-hidden="true">
      <path class="view" d="M178 38 L30 128 H206 Z" />
      <path class="tray-side" d="M34 128 H202" />
      ${sphere("B", 96, 112, 14)} ${sphere("O", 126, 112, 14)} ${sphere("G", 111, 88, 14)}
      ${sphere("W", 54, 114, 12)} ${sphere("K", 180, 114, 12)}
      <g transform="translate(186 26) rotate(38)">
        <rect class="phone" x="-13" y="-24" width="26" height="48" rx="5" />
      </g>
      <path class="tilt" d="M118 60 A58 58 0 0 1 158 46" />
      <text class="degrees" x="112" y="36">20–40°</text>
    </svg>
    <ul>
      <li>${t("how.whole")}</li>
      <li>${t("how.tilt")}</li>
      <li>${t("how.hands")}</li>
    </ul>
  </div>
`;
