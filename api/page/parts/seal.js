/** The six words of a locked round: the same on every device, or somebody changed something. */

import { html } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";
import { icon } from "./icons.js";

export const sealBox = ({ fingerprint }) => html`
  <section class="seal panel" aria-labelledby="seal-title">
    <h2 id="seal-title">${icon("lock")} ${t("seal.title")}</h2>
    <p class="words">${words(fingerprint).map((word) => html`<span>${word}</span> `)}</p>
    <p class="note">${t("seal.what")}</p>
  </section>
`;

const words = (fingerprint) => fingerprint.split(/[\s-]+/);
