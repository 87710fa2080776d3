/** The six words of a seal, as this device made them: the same on every one, or something is wrong. */

import { html, nothing } from "../vendor/lit-html.js";
import { t, tn } from "../i18n/index.js";
import { state } from "../shell/store.js";
import { icon } from "../parts/icons.js";
import { LAST_SEAL } from "./chain.js";

/** The box with the words of a seal; `LAST_SEAL` is the end of the game. */
export const sealBox = (number) => {
  const seal = ownLook(number);
  return html`
    <section class="seal panel" aria-labelledby="seal-title">
      <h2 id="seal-title">${icon("lock")} ${t("seal.title")}</h2>
      ${seal?.words
        ? html`<p class="words">${seal.words.split(" ").map((word) => html`<span>${word}</span> `)}</p>
            <p class="note">${t("seal.what")} ${tookPart(seal)}</p>`
        : html`<p class="note" role="status">${t("seal.waiting")}</p>`}
    </section>
  `;
};

/** The words of all seals so far, a line each. */
export const sealList = () => html`
  <ul class="seals">
    ${Array.from({ length: LAST_SEAL }, (_, i) => i + 1).map((number) => {
      const seal = ownLook(number);
      return seal?.words
        ? html`<li>
            <b>${t(number === LAST_SEAL ? "seal.end" : "seal.round", { n: number })}</b>
            <span class="words">${seal.words}</span> <small>${tookPart(seal)}</small>
          </li>`
        : nothing;
    })}
  </ul>
`;

const ownLook = (number) => state.trust?.seals?.[number] ?? null;

/** How many devices took part, and whether this one did: then the words are worth most here. */
function tookPart({ shares }) {
  if (shares.length === 0) return t("seal.nobody");
  const told = shares.filter(({ nonce }) => nonce);
  const mine = told.some(({ device }) => device === state.trust.device);
  const count = tn("seal.took", shares.length, { told: told.length });
  return mine ? count : `${count} ${t("seal.notThis")}`;
}
