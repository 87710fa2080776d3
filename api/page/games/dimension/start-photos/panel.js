/** The trays of a table: of which there is a start photo, and where to take one. */

import { html, nothing } from "../../../vendor/lit-html.js";
import { t } from "../../../i18n/index.js";
import { hasOwnPhoto, isMeasured } from "./measuring.js";
import { icon } from "../../../parts/icons.js";
import { person } from "../../../parts/person.js";
import { actsFor, hosts } from "../../../table/phase.js";

/** The panel, with the trays that this device may photograph. */
export const preparations = (now) => {
  const mine = now.players.filter(({ name }) => actsFor(now, name));
  return html`
    <section class="panel start-photos">
      <h2>${t("start.photos")}</h2>
      <p class="note">${t("start.what")}</p>
      <ul class="start-trays">
        ${mine.map((player) => startRow(now, player))}
      </ul>
      ${hosts(now) && now.players.length > 1
        ? html`<a class="button" href="#${startAddress(now, null)}">
            ${icon("camera")} ${t("start.alike")}
          </a>`
        : nothing}
    </section>
  `;
};

const startRow = (now, player) => html`
  <li class="start-row">
    ${person(player.name)}
    <span class="signs">
      ${isMeasured(player)
        ? html`<span class="sign-word yes">
            ${icon("check")} ${t(hasOwnPhoto(player) ? "start.measured" : "start.asAll")}
          </span>`
        : html`<span class="sign-word">${t("start.usual")}</span>`}
    </span>
    <a
      class="button"
      href="#${startAddress(now, player.name)}"
      aria-label=${t("start.take", { player: player.name })}
    >
      ${icon("camera")} ${t(hasOwnPhoto(player) ? "start.again" : "start.photo")}
    </a>
  </li>
`;

/** Where the start photo of a player's tray is taken, or (null) the one for all. */
export const startAddress = (now, player) =>
  `/table/${now.id}/start${player === null ? "" : `/${encodeURIComponent(player)}`}`;
