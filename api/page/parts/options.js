/** Choices as large buttons and switches: radio buttons and checkboxes to keyboard and screen reader. */

import { html, nothing } from "../vendor/lit-html.js";

/** One choice among a few; `choices`: [{value, label, what?}]. */
export const options = ({ legend, name, chosen, choices, onChoose }) => html`
  <fieldset class="options">
    <legend>${legend}</legend>
    ${choices.map(
      ({ value, label, what }) => html`
        <label class="option">
          <input
            type="radio"
            name=${name}
            value=${value}
            .checked=${value === chosen}
            @change=${() => onChoose(value)}
          />
          <span>${label}</span>${what ? html`<small>${what}</small>` : nothing}
        </label>
      `,
    )}
  </fieldset>
`;

/** A choice of yes or no. */
export const onOff = ({ label, what = null, on, onToggle }) => html`
  <label class="switch">
    <input type="checkbox" role="switch" .checked=${on} @change=${onToggle} />
    <span class="track" aria-hidden="true"></span>
    <span>${label}${what ? html`<small>${what}</small>` : nothing}</span>
  </label>
`;
