/** Asking for a PIN: on a shared tablet it says who somebody is. */

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";
import { closeSheet, openSheet } from "../shell/shell.js";
import { state, subscribe } from "../shell/store.js";

const DIGITS = "[0-9]{4,8}";

/** The PIN that is typed, {pin, old}; null if the sheet is closed. `old`: the old one is needed. */
export function askPin({ title, old = false }) {
  return new Promise((resolve) => {
    const submitted = (event) => {
      event.preventDefault();
      const typed = Object.fromEntries(new FormData(event.target));
      done(typed);
    };
    const sheet = { title: () => title, view: () => pinForm(old, submitted) };
    const stop = subscribe(() => {
      if (state.sheet !== sheet) done(null);
    });
    function done(answer) {
      stop();
      if (state.sheet === sheet) closeSheet();
      resolve(answer);
    }
    openSheet(sheet);
  });
}

const pinForm = (old, submitted) => html`
  <form class="pin" @submit=${submitted}>
    ${old ? pinField("old", t("pin.old")) : nothing} ${pinField("pin", t("pin.digits"))}
    <button class="primary">${t("pin.ok")}</button>
  </form>
`;

const pinField = (name, label) => html`
  <label>
    ${label}
    <input
      name=${name}
      type="password"
      inputmode="numeric"
      autocomplete="off"
      pattern=${DIGITS}
      minlength="4"
      maxlength="8"
      required
    />
  </label>
`;
