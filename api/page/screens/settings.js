/** Settings of this device: language, theme, voice; edition and rulings for single photos. */

import { LANGUAGES, t } from "../i18n/index.js";
import { photoGame, rescore } from "./photo/scoring.js";
import { choose } from "../shell/settings.js";
import { html } from "../vendor/lit-html.js";
import { options } from "../parts/options.js";

const THEMES = ["dark", "light", "auto"];

export const title = () => t("settings.title");

export const view = ({ settings }) => html`
  <h1 tabindex="-1">${t("settings.title")}</h1>
  ${options({
    legend: t("settings.language"),
    name: "language",
    chosen: settings.language,
    choices: LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) })),
    onChoose: (language) => void choose({ language }),
  })}
  ${options({
    legend: t("settings.theme"),
    name: "theme",
    chosen: settings.theme,
    choices: THEMES.map((value) => ({ value, label: t(`theme.${value}`) })),
    onChoose: (theme) => void choose({ theme }),
  })}
  <h2>${t("settings.rules")}</h2>
  <p>${t("settings.rules.what")}</p>
  ${photoGame().photoTerms(settings, chooseTerms)}
`;

/** Change what scores depend on, and score again. */
function chooseTerms(patch) {
  void choose(patch);
  void rescore();
}
