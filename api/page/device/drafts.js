/** What was entered at a table and not sent yet; kept, so that a reload or a flat battery loses nothing. */

import { replace, state } from "../shell/store.js";

const MOST_KEPT = 24;

/** What was entered at a place, such as "table/3/Ada"; null if nothing. */
export const draftAt = (place) => state.drafts[place] ?? null;

/** Keep what is entered there. */
export function keepDraft(place, draft) {
  const others = Object.entries(state.drafts).filter(([other]) => other !== place);
  replace("drafts", Object.fromEntries([...others, [place, draft]].slice(-MOST_KEPT)));
}

/** It was sent, or given up. */
export function dropDraft(place) {
  if (!(place in state.drafts)) return;
  const kept = Object.entries(state.drafts).filter(([other]) => other !== place);
  replace("drafts", Object.fromEntries(kept));
}
