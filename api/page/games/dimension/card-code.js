/** Card codes, such as `touch:BK`, taken apart and compared. */

export const KINDS = ["touch", "apart", "notabove", "notbelow", "exactly", "more", "sum4"];

/** The parts of a card code: its kind, its colours, its number (of `exactly`). */
export function parseCard(code) {
  const [kind, subject] = code.split(":");
  const number = kind === "exactly" ? Number(subject[0]) : 0;
  const colors = [...(kind === "exactly" ? subject.slice(1) : subject)];
  return { kind, colors, number };
}

const SYMMETRIC = new Set(["touch", "apart", "sum4"]);

/** A card's code in one spelling: colours sorted where their order is free. */
export function cardKey(code) {
  const { kind, colors } = parseCard(code);
  return SYMMETRIC.has(kind) ? `${kind}:${[...colors].sort().join("")}` : code;
}
