/** The invitation to a table: QR code, the code in large letters, the address. */

import { html, nothing } from "../../vendor/lit-html.js";
import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";

export const inviteBox = (code, invitation) => html`
  <section class="invite panel" aria-label=${t("invite.title")}>
    ${invitation?.picture
      ? html`<img class="qr" src=${invitation.picture} alt=${t("invite.qr")} width="260" height="260" />`
      : html`<div class="qr"></div>`}
    <div class="invite-words">
      <h2>${t("invite.title")}</h2>
      <p>${t("invite.how")}</p>
      <p class="code" aria-label=${t("invite.code", { code: [...code].join(" ") })}>
        ${code.slice(0, 3)}<span> </span>${code.slice(3)}
      </p>
      ${invitation?.url ? html`<p class="address">${invitation.url}</p>` : nothing}
      ${invitation?.reachable === false
        ? html`<p class="message unsure">${icon("doubt")}<span>${t("invite.alone")}</span></p>`
        : nothing}
    </div>
  </section>
`;
