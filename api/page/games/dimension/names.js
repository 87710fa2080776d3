/** What colours, seats and cards are called, and what is wrong with or disputed about them. */

import { parseCard } from "./card-code.js";
import { listed, t } from "../../i18n/index.js";
import { cells, SEATS } from "./board.js";

/** A colour's name; that of an empty seat for ".". */
export const colorName = (letter) => t(`color.${letter === "." ? "empty" : letter}`);

/** A card in a few words: "Blue meets black". */
export function cardName(code) {
  const { kind, colors, number } = parseCard(code);
  const x = colorName(colors[0]);
  const y = colorName(colors.at(-1));
  return t(`card.${kind}`, { x, y, X: capital(x), n: number });
}

/** A seat for people: "R2, level one". */
export const seatName = (seat) =>
  seat === "C" ? t("seat.center") : t(`seat.${seat[0]}`, { seat });

const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** What is wrong with a layout. */
export const problemWords = ({ code, seats }) => t(`problem.${code}`, { seats: seats.join(", ") });

/** How a layout differs from the one that counts. */
export function positionWords(before, after) {
  const [old, now] = [cells(before), cells(after)];
  const seats = SEATS.filter((seat) => old[seat] !== now[seat]);
  if (seats.length === 0) return t("claims.asItIs");
  return seats.map((seat) => t("claims.seat", { seat, color: colorName(now[seat]) })).join(", ");
}

/** What a dispute is about: a card, or a seat. */
export const disputedThing = ({ card, seat }) => (card ? cardName(card) : seatName(seat));

/** What would settle a dispute. */
export const howToSettle = ({ hangs_on: seats }) =>
  seats.length > 0
    ? t("dispute.hangsOn", { seats: listed(seats.map(seatName)) })
    : t("dispute.byEye");
