/** Play: what is to be done now, the same on every device, from the lobby to the result. */

import { gameAt } from "../../games/index.js";
import { t } from "../../i18n/index.js";
import { state, update } from "../../shell/store.js";
import { atTable, enterTable, leaveTable } from "../../table/frame.js";
import { loadInvitation } from "../../table/invitation.js";
import { hosts, phaseOf } from "../../table/phase.js";
import { lobby } from "../lobby/lobby.js";
import { finalResult } from "../score/result.js";
import { between } from "./between.js";
import { collect } from "./collect.js";
import { firstLook, loadPhotos } from "./judge.js";

const STAGES = {
  lobby,
  collect,
  judge: (now) => gameAt(now).judged(now, now.rounds.at(-1), state),
  between,
  finished: finalResult,
};

function phase() {
  const { now } = state.table ?? {};
  return now ? phaseOf(gameAt(now), now, state.clock.left ?? 0) : "lobby";
}

export const title = () => t(`play.${phase()}`, { n: state.table?.now?.rounds.length ?? 0 });

export function enter(params) {
  update("look", firstLook());
  return enterTable(params);
}

export const leave = leaveTable;

export function shown(main) {
  main.dataset.phase = phase();
  if (phase() === "lobby" && state.table?.now && hosts(state.table.now)) void loadInvitation();
  if (phase() === "judge") loadPhotos(state.table.now.rounds.at(-1));
}

export const view = (all) =>
  atTable(all.table, "play", title(), (now) => {
    const stage = STAGES[phase()] ?? gameAt(now).stages[phase()];
    return stage(now, all);
  });
