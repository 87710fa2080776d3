/** The verdict of a round: card by card, yes or no for each player, culprits pulsing; then the sum. */

import { readEach, stopReading } from "../../../device/speech.js";
import { inOurs, t } from "../../../i18n/index.js";
import { icon } from "../../../parts/icons.js";
import { person } from "../../../parts/person.js";
import { disputeButton } from "../../../screens/dispute/dispute-button.js";
import { choose } from "../../../shell/settings.js";
import { state, update } from "../../../shell/store.js";
import { html, nothing } from "../../../vendor/lit-html.js";
import { cardStrip } from "../cards/card-strip.js";
import { cardPicture } from "../drawings/card.js";
import { layoutDrawing } from "../drawings/layout.js";
import { photoOverlay } from "../drawings/overlay.js";
import { cardName } from "../names.js";
import { verdictMarks } from "../verdict.js";
import { sum, sumActions } from "./sum.js";

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
      ${disputeButton(now, round, player, { card: verdict.card, name: cardName(verdict.card) })}
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
  if (voice && turned < round.cards.length) readEach(spoken(round, turned));
}

async function aloud(round, place) {
  const on = !state.settings.voice;
  await choose({ voice: on });
  if (on) readEach(spoken(round, place));
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
