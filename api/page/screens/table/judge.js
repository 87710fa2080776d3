/** Verdict at the table: card by card, yes or no for each player, culprits pulsing; then the sum. */

import { cardName } from "../../i18n/cards.js";
import { inOurs, t } from "../../i18n/index.js";
import { cardPicture } from "../../parts/card.js";
import { disputeButton } from "../../parts/doubt-it.js";
import { icon } from "../../parts/icons.js";
import { layoutDrawing } from "../../parts/layout.js";
import { photoOverlay } from "../../parts/overlay.js";
import { person } from "../../parts/people.js";
import { roundOf } from "../../parts/phase.js";
import { cardStrip } from "../../parts/verdict-nav.js";
import { atTable, enterTable, leaveTable } from "../../parts/table-frame.js";
import { verdictMarks } from "../../parts/verdict.js";
import { loadPictures } from "../../pictures.js";
import { choose } from "../../settings.js";
import { readAloud, stopReading } from "../../speech.js";
import { state, update } from "../../store.js";
import { tokenFor } from "../../table.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { sum, sumActions } from "./sum.js";

export const title = ({ n }) => t("judge.title", { n });

/** Where a look at a round begins: its first card. */
export const firstLook = () => ({ turned: 0, player: null, hints: {}, best: false, busy: false });

export function enter(params) {
  update("look", firstLook());
  return enterTable(params);
}

export function leave() {
  stopReading();
  leaveTable();
}

export const shown = (_, { n }) => shownRound(roundOf(state.table?.now, n));

/** Have the photos of a round at hand. */
export function shownRound(round) {
  if (!round) return;
  const photos = Object.values(round.trays).flatMap((tray) => tray.photos.slice(0, 1));
  loadPictures(photos.map(({ url }) => url), tokenFor(state.table.id));
}

export const view = (now, { n }) =>
  atTable(now.table, "score", title({ n }), (table) => {
    const round = roundOf(table, n);
    const complete = round && round.missing.length === 0;
    return complete ? judged(table, round, now) : html`<p>${t("judge.notYet")}</p>`;
  });

/** The verdicts of a round whose trays are all there. */
export const judged = (now, round, { look, pictures, settings }) => {
  const place = look.turned ?? 0;
  const turn = (to) => turnTo(round, to, settings.voice);
  return html`
    ${cardStrip(round, place, turn)}
    ${place < round.cards.length
      ? html`${trial(now, round, place, look, pictures)} ${walk(place, round, turn, settings)}`
      : html`${sum(now, round, look)} ${sumActions(now, round, look, turn)}`}
  `;
};

const trial = (now, round, place, look, pictures) => {
  const player = lookedAt(now, round, place, look);
  const tray = round.trays[player];
  const marks = verdictMarks(tray.score.verdicts[place]);
  const shot = tray.photos.length > 0 ? pictures[tray.photos[0].url] : null;
  return html`
    <div class="trial">
      <div class="on-trial">
        ${cardPicture(round.cards[place])}
        <h2>${cardName(round.cards[place])}</h2>
      </div>
      <ul class="answers">
        ${now.players.map(({ name }) => answerRow(now, round, place, name, name === player))}
      </ul>
      <div class="evidence" role="group" tabindex="0" aria-label=${t("judge.evidence", { player })}>
        ${shot
          ? html`<div class="pane">${photoOverlay(shot, tray.reading, tray.layout, marks)}</div>`
          : nothing}
        <div class="pane drawing">${layoutDrawing(tray.layout, marks)}</div>
      </div>
    </div>
  `;
};

const answerRow = (now, round, place, player, chosen) => {
  const verdict = round.trays[player].score.verdicts[place];
  const kind = verdict.fulfilled ? "fulfilled" : "failed";
  return html`
    <li class="answer-row ${kind}">
      <button
        class="verdict-row ${kind}"
        aria-current=${chosen ? "true" : "false"}
        @click=${() => update("look", { player })}
      >
        ${person(player)}
        <span class="answer">
          ${icon(verdict.fulfilled ? "check" : "cross")}
          ${t(verdict.fulfilled ? "verdict.yes" : "verdict.no")}
        </span>
        <span class="reason">${inOurs(verdict.reason)}</span>
      </button>
      ${disputeButton(now, round, player, verdict.card)}
    </li>
  `;
};

const walk = (place, round, turn, settings) => html`
  <div class="actions">
    <button aria-pressed=${settings.voice} @click=${() => void aloud(round, place)}>
      ${icon("speaker")} ${t("verdict.aloud")}
    </button>
    <button ?disabled=${place === 0} @click=${() => turn(place - 1)}>
      ${icon("back")} ${t("judge.back")}
    </button>
    <button class="primary" @click=${() => turn(place + 1)}>
      ${place + 1 < round.cards.length ? t("judge.next") : t("judge.sum")} ${icon("next")}
    </button>
  </div>
`;

/** Whose tray is looked at: the one chosen, or the first that failed the card. */
function lookedAt(now, round, place, { player }) {
  if (player) return player;
  const names = now.players.map(({ name }) => name);
  return names.find((name) => !round.trays[name].score.verdicts[place].fulfilled) ?? names[0];
}

function turnTo(round, turned, voice) {
  update("look", { turned, player: null });
  if (voice && turned < round.cards.length) readAloud(spoken(round, turned));
}

async function aloud(round, place) {
  const on = !state.settings.voice;
  await choose({ voice: on });
  if (on) readAloud(spoken(round, place));
  else stopReading();
}

/** A card and everybody's answer, as somebody at the table would say it. */
const spoken = (round, place) => [
  cardName(round.cards[place]),
  ...Object.entries(round.trays).map(([player, { score }]) => {
    const { fulfilled, reason } = score.verdicts[place];
    const words = t(fulfilled ? "verdict.yes" : "verdict.no");
    return `${player}: ${words} ${fulfilled ? "" : inOurs(reason)}`;
  }),
];
