/** Before the first round: players' own phones join, or all play on this tablet. */

import { gameAt } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { icon } from "../../parts/icons.js";
import { inviteBox } from "./invite.js";
import { hosts } from "../../table/phase.js";
import { roster } from "./roster.js";
import { html, nothing } from "../../vendor/lit-html.js";

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
    ${gameAt(now).preparations(now)}
  </div>
  ${hosts(now) ? gameAt(now).nextRound(now) : nothing}
`;
