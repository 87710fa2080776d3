/** The hourglass that everyone sees: sand, digits, and a colour for the last seconds. */

import { html, svg } from "../../../vendor/lit-html.js";
import { t } from "../../../i18n/index.js";

/** Seconds before the end at which it warns. */
export const WARNING_S = 10;

const [TOP, MIDDLE, BOTTOM] = [12, 80, 148];

/** The hourglass with so many seconds left of so many; whole seconds are shown, none twice. */
export const hourglass = (left, total) => {
  const share = Math.min(1, Math.max(0, left / total));
  const seconds = Math.max(0, Math.ceil(left));
  return html`
    <div class="hourglass ${phase(left)}" role="timer" aria-label=${t("hourglass.left", { n: seconds })}>
      <svg viewBox="0 0 120 160" aria-hidden="true">
        <clipPath id="upper"><rect x="0" y=${surface(share)} width="120" height="80" /></clipPath>
        <clipPath id="lower"><rect x="0" y=${heap(share)} width="120" height="80" /></clipPath>
        <path class="sand" clip-path="url(#upper)" d="M22 12 H98 C98 52 68 64 60 80 C52 64 22 52 22 12 Z" />
        <path class="sand" clip-path="url(#lower)" d="M60 80 C68 96 98 108 98 148 H22 C22 108 52 96 60 80 Z" />
        ${left > 0 && left < total ? svg`<path class="stream" d="M60 78 V146" />` : svg``}
        <path class="glass" d="M22 12 C22 52 52 64 58 80 C52 96 22 108 22 148 H98 C98 108 68 96 62 80 C68 64 98 52 98 12 Z" />
        <path class="frame" d="M14 10 H106 M14 150 H106" />
      </svg>
      <output class="seconds ${seconds > 99 ? "long" : ""}" aria-hidden="true">${seconds}</output>
    </div>
  `;
};

/** Sand falls evenly by volume; the glass is wide at its ends, so the surface does not. */
const surface = (share) => MIDDLE - (MIDDLE - TOP) * Math.sqrt(share);
const heap = (share) => BOTTOM - (BOTTOM - MIDDLE) * (1 - Math.sqrt(share));

const phase = (left) => (left <= 0 ? "over" : left <= WARNING_S ? "last" : "running");
