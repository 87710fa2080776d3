/** One choice among a few, as large buttons: radio buttons to keyboard and screen reader. */

import { html, nothing } from "../vendor/lit-html.js";

/** The choice; `choices`: [{value, label, what?}]. */
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
