/** The service shows another history than this device saw before: said on every screen of the table. */

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";
import { saveEvidence } from "../table/saving.js";
import { closeSheet, openSheet } from "../shell/shell.js";
import { state } from "../shell/store.js";
import { icon } from "../parts/icons.js";

export const alarm = (now) => {
  const wrong = state.trust?.table === now.id ? state.trust.alarm : null;
  if (!wrong) return nothing;
  return html`
    <section class="alarm" role="alert">
      <h2>${icon("doubt")} ${t(`alarm.${wrong.kind}`)}</h2>
      <p>
        ${t(`alarm.${wrong.kind}.what`, { n: wrong.missing })}
        ${wrong.kind === "broken" ? nothing : stillThere(wrong)}
      </p>
      <div class="row-of-buttons">
        <button @click=${() => void saveEvidence(now)}>${icon("save")} ${t("score.evidence")}</button>
        ${wrong.kind === "broken"
          ? nothing
          : html`<button @click=${() => askAccept(now)}>${t("alarm.accept")}</button>`}
      </div>
    </section>
  `;
};

const stillThere = ({ sealed }) => (sealed ? t("alarm.until", { n: sealed }) : t("alarm.nothing"));

function askAccept(now) {
  openSheet({
    title: () => t("alarm.accept"),
    view: () => html`
      <p>${t("alarm.acceptWhat")}</p>
      <div class="row-of-buttons">
        <button @click=${closeSheet}>${t("alarm.keep")}</button>
        <button class="primary" @click=${() => void accept(now)}>${t("alarm.acceptYes")}</button>
      </div>
    `,
  });
}

async function accept({ id }) {
  closeSheet();
  const { acceptHistory } = await import("./watching.js");
  await acceptHistory(id);
}
