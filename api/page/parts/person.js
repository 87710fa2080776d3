/** Players as small badges: the first letter of the name in a ring, the name beside it. */

import { html } from "../vendor/lit-html.js";

/** A player's badge and name. */
export const person = (name) => html`
  <span class="person"><span class="badge" aria-hidden="true">${initial(name)}</span>${name}</span>
`;

const initial = (name) => [...name.trim()][0]?.toLocaleUpperCase() ?? "?";
