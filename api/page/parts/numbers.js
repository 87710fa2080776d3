/** Numbers as people write them. */

/** A number that may be negative, with a proper minus. */
export const plain = (value) => (value < 0 ? `−${Math.abs(value)}` : String(value));

/** A number with its sign: +3, −6, 0. */
export const signed = (value) => (value > 0 ? `+${value}` : plain(value));
