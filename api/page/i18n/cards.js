/** What colours, seats and cards are called. */

import { parseCard } from "../parts/card-code.js";
import { t } from "./index.js";

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
