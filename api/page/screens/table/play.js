/** Play: what is to be done now, the same on every device: lobby, cards, hourglass, trays, verdict. */

import { t } from "../../i18n/index.js";
import { loadInvitation } from "../../invitation.js";
import { hosts, phaseOf } from "../../parts/phase.js";
import { atTable, enterTable, leaveTable } from "../../parts/table-frame.js";
import { state, update } from "../../store.js";
import { between } from "./between.js";
import { build } from "./build.js";
import { collect } from "./collect.js";
import * as judge from "./judge.js";
import { lobby } from "./lobby.js";
import { revealed } from "./revealed.js";
import { finalResult } from "./result.js";

const STAGES = {
  lobby,
  revealed,
  build,
  collect,
  judge: (now) => judge.judged(now, now.rounds.at(-1), state),
  between,
  finished: finalResult,
};

const phase = () =>
  state.table?.now ? phaseOf(state.table.now, state.clock.left ?? 0) : "lobby";

export const title = () => t(`play.${phase()}`, { n: state.table?.now?.rounds.length ?? 0 });

export function enter(params) {
  update("look", judge.firstLook());
  return enterTable(params);
}

export const leave = leaveTable;

export function shown(main) {
  main.dataset.phase = phase();
  if (phase() === "lobby" && state.table?.now && hosts(state.table.now)) void loadInvitation();
  if (phase() === "judge") judge.shownRound(state.table.now.rounds.at(-1));
}

export const view = (now) =>
  atTable(now.table, "play", title(), (table) => STAGES[phase()](table, now));
