/** Reviewing a reading: photo and drawing side by side, doubts named, every seat correctable. */

import { html, nothing } from "../../../vendor/lit-html.js";
import { colorName, seatName } from "../names.js";
import { percent, t } from "../../../i18n/index.js";
import { closeSheet, openSheet } from "../../../shell/shell.js";
import { cells, changed, count, EMPTY, exhausted, fits } from "../board.js";
import { COLORS } from "../colors.js";
import { likelyLetters, openDoubts } from "./doubts.js";
import { icon } from "../../../parts/icons.js";
import { layoutDrawing } from "../drawings/layout.js";
import { photoOverlay } from "../drawings/overlay.js";
import { readingWords } from "./reading-words.js";
import { sphereIcon } from "../drawings/sphere.js";

/**
 * Photo, drawing and what is to be said about them.
 *
 * `shot`, `reading`: may be null, if the layout was tapped in. `position`: it, as corrected so far.
 * `onCorrect(seat, letter)` null: nothing can be corrected any more.
 */
export const reviewPanel = ({ shot, reading, position: layout, onCorrect, onUndo, corrections = 0 }) => {
  const marks = { doubtful: openDoubts(reading, layout) };
  const onSeat = onCorrect ? (seat) => openSeat(seat, reading, layout, onCorrect) : null;
  return html`
    <div class="review">
      ${shot ? html`<div class="pane">${photoOverlay(shot, reading, layout, marks, onSeat)}</div>` : nothing}
      <div class="pane drawing">
        ${layoutDrawing(layout, marks, onSeat)}
        ${onCorrect ? corrected(corrections, layout, onUndo) : nothing}
      </div>
      ${reading ? readingMessage(reading, layout, marks.doubtful) : nothing}
    </div>
  `;
};

const readingMessage = (reading, layout, doubtful) => {
  const settled = reading.status === "certain" || reading.layout !== layout;
  const kind = settled && doubtful.length === 0 ? "sure" : "unsure";
  return html`
    <p class="message ${kind}">
      ${icon(kind === "sure" ? "check" : "doubt")}
      <span>${readingWords(reading, layout, doubtful)}</span>
    </p>
  `;
};

const corrected = (corrections, layout, onUndo) => html`
  <p class="tools">
    <span>${t("review.tap", { n: count(layout) })}</span>
    <button class="quiet" ?disabled=${corrections === 0} @click=${onUndo}>
      ${icon("undo")} ${t("review.undo")}
    </button>
  </p>
`;

/** The sheet that asks what lies on a seat. */
function openSeat(seat, reading, layout, onCorrect) {
  const now = cells(layout)[seat];
  const likely = likelyLetters(reading, seat);
  const letters = [
    ...likely.map(([letter]) => letter),
    ...[...COLORS, EMPTY].filter((letter) => !likely.some(([known]) => known === letter)),
  ];
  const choose = (letter) => {
    closeSheet();
    if (letter !== now) onCorrect(seat, letter);
  };
  openSheet({
    title: () => t("review.what", { seat: seatName(seat) }),
    view: () => html`
      <div class="choices">
        ${letters.map((letter) => choice(seat, letter, now, likely, layout, choose))}
      </div>
    `,
  });
}

const choice = (seat, letter, now, likely, layout, choose) => html`
  <button
    class="choice"
    aria-pressed=${letter === now}
    data-letter=${letter}
    @click=${() => choose(letter)}
  >
    ${sphereIcon(letter === EMPTY ? null : letter)}
    <b>${colorName(letter)}</b>
    <small>${choiceNote(seat, letter, likely, layout)}</small>
  </button>
`;

function choiceNote(seat, letter, likely, layout) {
  const known = likely.find(([other]) => other === letter);
  if (known) return t("review.likely", { p: percent(known[1]) });
  if (letter === EMPTY) return "";
  const without = changed(layout, seat, EMPTY);
  if (exhausted(without).includes(letter)) return t("review.noneLeft");
  return fits(without, seat) ? "" : t("review.floats");
}
