/** A choice of yes or no, as a large switch: a checkbox to keyboard and screen reader. */

import { html, nothing } from "../vendor/lit-html.js";

export const onOff = ({ label, what = null, on, onToggle }) => html`
  <label class="switch">
    <input type="checkbox" role="switch" .checked=${on} @change=${onToggle} />
    <span class="track" aria-hidden="true"></span>
    <span>${label}${what ? html`<small>${what}</small>` : nothing}</span>
  </label>
`;
