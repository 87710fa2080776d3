/** A photo with what is drawn on it, or that this browser cannot show it. */

import { html } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";

/** The photo of a shot; `drawn` goes on top of it, `box` is the part that is shown. */
export const photoPicture = (shot, { drawn = null, box = null, role = "img", label = t("overlay.label") } = {}) =>
  shot?.url
    ? html`
        <svg class="overlay" viewBox=${box ?? `0 0 ${shot.width} ${shot.height}`} role=${role} aria-label=${label}>
          <image href=${shot.url} width=${shot.width} height=${shot.height} />
          ${drawn}
        </svg>
      `
    : html`<p class="no-picture">${t("overlay.noPicture")}</p>`;
