/** Before the first round: players' own phones join, or all play on this tablet. */

import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { inviteBox } from "../../parts/invite.js";
import { hosts } from "../../parts/phase.js";
import { roster } from "../../parts/roster.js";
import { startPhotos } from "../../parts/start-photos.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { revealActions } from "./reveal-actions.js";

export const lobby = (now, { look }) => html`
  ${hosts(now)
    ? nothing
    : html`<p class="message sure">${icon("check")}<span>${t("lobby.in")}</span></p>`}
  <div class="lobby">
    ${hosts(now) ? inviteBox(now.code, look.invitation) : nothing}
    <section class="panel">
      <h2>${t("devices.players")}</h2>
      ${roster(now, true)}
      <p class="note">${t(hosts(now) ? "lobby.orHere" : "lobby.wait")}</p>
    </section>
    ${startPhotos(now)}
  </div>
  ${hosts(now) ? revealActions(now) : nothing}
`;
