/** Where a table stands: what comes out of its state and the clock, nothing else. */

/** Rounds of a whole game. */
export const roundsIn = (now) => now.rounds.filter(({ locked }) => locked).length + now.rounds_left;

/** The round that is being played; null between rounds. */
export const openRound = (now) => now?.rounds.find(({ locked }) => !locked) ?? null;

/** The round with this number; null if there is none yet. */
export const roundOf = (now, number) =>
  now?.rounds.find((round) => round.number === Number(number)) ?? null;

/** What is to be done now; `left`: seconds that are left of what the game times. */
export function phaseOf(game, now, left) {
  if (now.finished) return "finished";
  const round = openRound(now);
  if (!round) return now.rounds.length === 0 ? "lobby" : "between";
  const early = game.stageOf(now, round, left);
  return early ?? (round.missing.length > 0 ? "collect" : "judge");
}

/** Whether this device hosts. */
export const hosts = (now) => now.you.role === "host";

/** Whether this device may send in and correct the tray of a player. */
export const actsFor = (now, player) => hosts(now) || now.you.player === player;

/** The open dispute about a player's tray in a round. */
export const openDispute = (now, round, player) =>
  now.disputes.find(
    (one) => one.status === "open" && one.round === round && one.player === player,
  ) ?? null;
