/** Where one is on the way from photo to verdict; each step that can be taken is a link. */

import { html } from "../../vendor/lit-html.js";
import { t } from "../../i18n/index.js";

const STEPS = [
  { name: "photo", address: "/photo", ready: () => true },
  { name: "reading", address: "/photo/reading", ready: (photo) => photo.position !== null },
  { name: "cards", address: "/photo/cards", ready: () => true },
  { name: "verdict", address: "/photo/verdict", ready: (photo) => photo.score?.points != null },
];

/** The four steps, `now` among them. */
export const steps = (photo, now) => html`
  <nav class="steps" aria-label=${t("steps.label")}>
    <ol>
      ${STEPS.map(
        ({ name, address, ready }) => html`
          <li>
            ${ready(photo) || name === now
              ? html`<a href="#${address}" aria-current=${name === now ? "step" : "false"}>
                  ${t(`steps.${name}`)}
                </a>`
              : html`<span>${t(`steps.${name}`)}</span>`}
          </li>
        `,
      )}
    </ol>
  </nav>
`;
