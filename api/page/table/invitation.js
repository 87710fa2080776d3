/** The way to a table for other phones: its address and its QR code, asked for once a table. */

import { call } from "../service/api.js";
import { state, update } from "../shell/store.js";

/** Have the invitation to the table at hand in `state.look.invitation`. */
export async function loadInvitation() {
  const { table, look } = state;
  const code = table?.now?.code;
  if (!code || look.invitation?.code === code) return;
  update("look", { invitation: { code, url: null, picture: null } });
  const { url, svg, reachable } = await call("invitation", { path: { code } });
  const picture = `data:image/svg+xml,${encodeURIComponent(standalone(svg))}`;
  update("look", { invitation: { code, url, picture, reachable } });
}

/** A drawing that stands alone names its dialect. */
const standalone = (svg) => svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
