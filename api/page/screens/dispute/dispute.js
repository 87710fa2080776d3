/** Dispute: look at the evidence, take a further photo, say what lies there, agree, or not. */

import {
  claimOf,
  claimPlace,
  disputeOf,
  ownPlayer,
  resolve,
  scoreClaim,
  undoClaim,
} from "./disputing.js";
import { gameAt } from "../../games/index.js";
import { inOurs, language, listed, percent, t, tn } from "../../i18n/index.js";
import { claims } from "./claims.js";
import { icon } from "../../parts/icons.js";
import { hosts } from "../../table/phase.js";
import { askPin } from "../../parts/pin.js";
import { atTable, enterTable, leaveTable } from "../../table/frame.js";
import { loadPictures } from "../../table/pictures.js";
import { saveEvidence } from "../../table/saving.js";
import { state, update } from "../../shell/store.js";
import { tokenFor } from "../../table/table.js";
import { html, nothing } from "../../vendor/lit-html.js";

export const title = () => t("dispute.title");

export async function enter(params) {
  update("look", { claimed: null, busy: false });
  await enterTable(params);
  const dispute = disputeOf(state.table?.now, params.d);
  if (dispute) void scoreClaim(dispute);
}

export const leave = leaveTable;

export function shown(_, { d }) {
  const dispute = disputeOf(state.table?.now, d);
  if (!dispute) return;
  const crop = dispute.crop ? [pictureOf(dispute)] : [];
  loadPictures([...dispute.photos.map(({ url }) => url), ...crop], tokenFor(state.table.id));
}

/** The crop changes with every photo that is added; the number makes its address another one. */
const pictureOf = ({ crop, photos }) => `${crop}?photos=${photos.length}`;

export const view = ({ table, look, pictures }, { d }) =>
  atTable(table, "play", title(), (now) => {
    const dispute = disputeOf(now, d);
    if (!dispute) return html`<p>${t("dispute.none")}</p>`;
    return html`
      ${about(now, dispute)}
      ${dispute.status === "open"
        ? open(now, dispute, look, pictures)
        : html`${outcome(now, dispute)} ${evidence(now, dispute, pictures)}`}
      <div class="actions">
        <button @click=${() => void saveEvidence(now)}>${icon("save")} ${t("score.evidence")}</button>
        ${dispute.status === "open"
          ? ending(now, dispute)
          : html`<a class="button primary" href="#/table/${now.id}">${t("sum.on")} ${icon("next")}</a>`}
      </div>
    `;
  });

const about = (now, dispute) => html`
  <p class="lead">
    ${t("dispute.what", {
      player: dispute.player,
      n: dispute.round,
      about: gameAt(now).disputedThing(dispute),
    })}
  </p>
`;

const open = (now, dispute, look, pictures) => html`
  <div class="dispute">
    <section class="panel step-look" aria-labelledby="step-1">
      <h2 id="step-1"><b class="step">1</b> ${t("dispute.step.look")}</h2>
      ${evidence(now, dispute, pictures)}
      <p>
        <a class="button" href="#/table/${now.id}/dispute/${dispute.id}/photo">
          ${icon("camera")} ${t("dispute.photo")}
        </a>
      </p>
    </section>
    <section class="panel step-claim" aria-labelledby="step-2">
      <h2 id="step-2"><b class="step">2</b> ${t("dispute.step.claim")}</h2>
      ${gameAt(now).reviewPanel({
        shot: dispute.photos.length > 0 ? (pictures[dispute.photos[0].url] ?? null) : null,
        reading: dispute.reading,
        position: claimOf(dispute).position,
        corrections: claimOf(dispute).earlier.length,
        onCorrect: (place, letter) => claimPlace(dispute, place, letter),
        onUndo: () => undoClaim(dispute),
      })}
      ${worth(now, dispute, look.claimed)}
    </section>
    <section class="panel step-agree" aria-labelledby="step-3">
      <h2 id="step-3"><b class="step">3</b> ${t("dispute.step.agree")}</h2>
      ${claims(now, dispute)}
      <p class="note">${t("dispute.who", { player: dispute.player })} ${t("dispute.whose")}</p>
      ${spokenFor(dispute)}
    </section>
  </div>
`;

/** The crop, the verdict as it stands, what hangs on what. */
const evidence = (now, dispute, pictures) => {
  const crop = dispute.crop ? pictures[pictureOf(dispute)] : null;
  return html`
    <div class="dispute-evidence">
      ${crop?.url ? html`<img class="crop" src=${crop.url} alt=${t("dispute.crop")} />` : nothing}
      <div>
        ${dispute.verdict
          ? html`<p class=${dispute.verdict.fulfilled ? "yes" : "no"}>
              <b>${t(dispute.verdict.fulfilled ? "verdict.yes" : "verdict.no")}</b>
              ${inOurs(dispute.verdict.reason)}
            </p>`
          : nothing}
        ${doubt(dispute)}
        <p class="note">${advice(now, dispute)}</p>
      </div>
    </div>
  `;
};

const doubt = ({ doubt: open, card }) => {
  const p = card && open?.cards?.[card];
  return p === undefined || p === null || p === "" ? nothing : html`<p>${t("dispute.likely", { p: percent(p) })}</p>`;
};

/** What would settle it; the service's own words are English. */
function advice(now, dispute) {
  if (language() === "en" && dispute.advice) return dispute.advice;
  return gameAt(now).howToSettle(dispute);
}

const worth = (now, dispute, claimed) => {
  const { position } = claimOf(dispute);
  return html`
    <p class="claim" role="status">
      <b>${gameAt(now).positionWords(dispute.layout_before, position)}</b>
      ${claimed?.points != null
        ? html`<span>${dispute.points_before} → ${claimed.points} ${tn("verdict.pointsWord", claimed.points)}</span>`
        : nothing}
    </p>
  `;
};

/** How it can end now. */
const ending = (now, dispute) => {
  const { agreement } = dispute;
  if (agreement) {
    const { positionIn, samePosition } = gameAt(now);
    const kind = samePosition(positionIn(agreement), dispute.layout_before) ? "upheld" : "corrected";
    return html`<button class="primary" @click=${() => void resolve(dispute, kind)}>
      ${icon("check")} ${t(`dispute.end.${kind}`)}
    </button>`;
  }
  return html`
    ${mayWithdraw(now, dispute)
      ? html`<button @click=${() => void withdraw(now, dispute)}>
          ${icon("undo")} ${t("dispute.withdraw")}
        </button>`
      : nothing}
    ${hosts(now)
      ? html`<button @click=${() => void resolve(dispute, "unresolved")}>
          ${icon("flag")} ${t("dispute.giveUp")}
        </button>`
      : nothing}
  `;
};

const opener = ({ opened_by: by }) => (by.startsWith("player:") ? by.slice(7) : null);

/** Whoever opened it, by their own device, or by PIN on the host's. */
function mayWithdraw(now, dispute) {
  const player = opener(dispute);
  if (player === null) return hosts(now);
  const pin = now.players.find(({ name }) => name === player)?.pin_by === "player";
  return player === ownPlayer(now) || (hosts(now) && pin);
}

async function withdraw(now, dispute) {
  const player = opener(dispute);
  if (player === null || player === ownPlayer(now)) return resolve(dispute, "upheld");
  const typed = await askPin({ title: t("pin.enter", { player }) });
  return typed ? resolve(dispute, "upheld", { player, pin: typed.pin }) : false;
}

/** For whom the host's device agreed: that is shown, and is not their own consent. */
const spokenFor = ({ spoken_for: players }) =>
  players.length > 0
    ? html`<b class="spoken-for">${t("dispute.spokenFor", { players: listed(players) })}</b>`
    : nothing;

const outcome = (now, dispute) => html`
  <p class="message ${dispute.status === "unresolved" ? "unsure" : "sure"}" role="status">
    ${icon(dispute.status === "unresolved" ? "flag" : "check")}
    <span>
      <b>${t(`dispute.status.${dispute.status}`)}</b>
      ${dispute.layout_after ? gameAt(now).positionWords(dispute.layout_before, dispute.layout_after) : nothing}.
      ${t("dispute.points", { before: dispute.points_before, after: dispute.points_after })}
      ${dispute.favoured ? t(`dispute.favoured.${dispute.favoured}`) : nothing}
      ${spokenFor(dispute)}
    </span>
  </p>
`;
