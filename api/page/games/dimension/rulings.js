/** Rulings in plain words: what the rule books leave open, decided by the table. */

import { html } from "../../vendor/lit-html.js";
import { t } from "../../i18n/index.js";
import { options } from "../../parts/options.js";

/** The choices of each ruling, its default first; a test compares them with the rules. */
export const RULINGS = {
  lone_touch: ["fulfilled", "failed"],
  exactly_pair: ["both", "joint"],
  total: ["negative", "floor"],
  contradiction: ["pair", "unsatisfiable"],
};

/** A choice for each ruling of `names`; `onChange(rulings)` gets all of them. */
export const rulingChoices = (rulings, names, onChange) => html`
  ${names.map((name) =>
    options({
      legend: t(`ruling.${name}`),
      name,
      chosen: rulings[name] ?? RULINGS[name][0],
      choices: RULINGS[name].map((value) => ({ value, label: t(`ruling.${name}.${value}`) })),
      onChoose: (value) => onChange({ ...rulings, [name]: value }),
    }),
  )}
`;
