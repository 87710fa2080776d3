/** What a reading leaves open. */

import { cells, SEATS } from "../board.js";

const DOUBTFUL = 0.98; // as vision/dimension/reporting/advice.py
const LIKELY = 0.005;

/** Seats whose colour is in doubt and was not corrected, the most doubtful first. */
export function openDoubts(reading, layout) {
  if (!reading?.layout || !layout) return [];
  const [read, now] = [cells(reading.layout), cells(layout)];
  return SEATS.filter((seat) => reading.seats[seat].p < DOUBTFUL && read[seat] === now[seat]).sort(
    (a, b) => reading.seats[a].p - reading.seats[b].p,
  );
}

/** What a seat may hold by the reading, the likeliest first: [letter, probability]. */
export function likelyLetters(reading, seat) {
  if (!reading?.layout) return [];
  const weights = new Map();
  const layouts = [
    { layout: reading.layout, p: reading.confidence ?? 0 },
    ...reading.alternatives.filter(({ layout }) => layout !== reading.layout),
  ];
  for (const { layout, p } of layouts) {
    const letter = cells(layout)[seat];
    weights.set(letter, (weights.get(letter) ?? 0) + p);
  }
  const total = [...weights.values()].reduce((sum, p) => sum + p, 0) || 1;
  return [...weights]
    .map(([letter, p]) => [letter, p / total])
    .filter(([, p]) => p >= LIKELY)
    .sort((a, b) => b[1] - a[1]);
}
