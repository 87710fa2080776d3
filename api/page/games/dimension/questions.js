/** Layouts as the service is asked about them, and as it tells them. */

import { cells, count, SEATS } from "./board.js";

/** The layout in a reading, a tray, a consent; null if there is none. */
export const positionIn = (told) => told?.layout ?? null;

/** A layout as it is sent in. */
export const submission = (layout) => ({ layout });

/** The seats on which two layouts differ, as the second has them. */
export function correction(before, after) {
  const [old, now] = [cells(before), cells(after)];
  const changed = SEATS.filter((seat) => old[seat] !== now[seat]);
  return { seats: Object.fromEntries(changed.map((seat) => [seat, now[seat]])) };
}

/** What a photo is worth: by its reading, with all its doubts, or by the layout it was put right to. */
export const photoQuestion = ({ position, reading, cards }, { edition, rulings }) => ({
  cards,
  edition,
  rulings,
  ...(reading ? { reading } : { layout: position }),
});

/** What cards can earn at best. */
export const bestQuestion = (cards, { edition, rulings }) => ({ cards, edition, rulings });

/** What the cards of a round can earn at best, at this table. */
export const bestOfRound = ({ settings, players }, round) => ({
  ...terms(settings, round),
  ...(players.length > 1 && round.locked ? { most: Math.max(...spheresOf(round.trays)) } : {}),
});

/** What a claim in a dispute is worth. */
export const claimQuestion = ({ settings }, round, layout) => ({ ...terms(settings, round), layout });

/** What a player's tray is worth beside those of the others. */
export function trayQuestion({ settings, players }, round, player, layout) {
  const { [player]: _, ...others } = round.trays;
  const most = Math.max(count(layout), ...spheresOf(others));
  return { ...terms(settings, round), layout, ...(players.length > 1 ? { most } : {}) };
}

const spheresOf = (trays) => Object.values(trays).map(({ score }) => score?.spheres ?? 0);

const terms = ({ edition, rulings, deck }, { cards }) => ({
  cards,
  edition,
  rulings,
  ...(deck ? { deck: "any" } : {}),
});
