/** The frame round every screen: header, connection banner, notice, sheet; and the render loop. */

import { t } from "../i18n/index.js";
import { icon } from "../parts/icons.js";
import { choose } from "./settings.js";
import { state, subscribe, update } from "./store.js";
import { html, nothing, render } from "../vendor/lit-html.js";

const NOTICE_MS = 5_000;

let root = null;
let shownRoute = null;
let shownSheet = null;
let focusBefore = null;
let noticeTimer = 0;

/** Render into `element`, now and after each change of the state. */
export function startShell(element) {
  root = element;
  subscribe(renderShell);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && state.sheet) closeSheet();
  });
}

/** Say something briefly, aloud to screen readers. */
export function notify(text) {
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => update("notice", null), NOTICE_MS);
  update("notice", text);
}

/** Open a sheet over the screen: {title, view}, its view a function of the state. */
export function openSheet(sheet) {
  focusBefore = document.activeElement;
  update("sheet", sheet);
}

/** Close the sheet; focus returns to where it was. */
export function closeSheet() {
  update("sheet", null);
}

function renderShell() {
  const { route } = state;
  if (!route.screen) return;
  render(shell(state), root);
  const main = root.querySelector("main");
  route.screen.shown?.(main, route.params);
  followFocus(main);
}

const shell = (now) => html`
  <a class="skip" href="#main" @click=${skip}>${t("shell.skip")}</a>
  ${header(now)} ${banner(now)}
  <main id="main" class="screen screen-${now.route.name}" tabindex="-1" ?inert=${now.sheet}>
    ${now.route.screen.view(now, now.route.params)}
  </main>
  <div class="notice" role="status">${now.notice ? html`<p>${now.notice}</p>` : nothing}</div>
  ${now.sheet ? sheet(now) : nothing}
`;

const header = (now) => html`
  <header class="top" ?inert=${now.sheet}>
    <a class="brand" href="#/" aria-label=${t("shell.home")}>
      ${icon("logo")}<span>Trayscore</span>
    </a>
    <nav aria-label=${t("shell.menu")}>
      <button class="quiet language" @click=${otherLanguage} lang=${other(now.settings.language)}>
        ${t("shell.otherLanguage")}
      </button>
      <a class="quiet button" href="#/settings" aria-label=${t("shell.settings")}>
        ${icon("settings")}
      </a>
    </nav>
  </header>
`;

const banner = (now) => html`
  <div class="banner" role="alert">
    ${now.connection.online ? nothing : html`<p>${icon("offline")} ${t("shell.offline")}</p>`}
  </div>
`;

const sheet = (now) => html`
  <div class="backdrop" @click=${closeSheet}></div>
  <section class="sheet" role="dialog" aria-modal="true" aria-labelledby="sheet-title" tabindex="-1">
    <header>
      <h2 id="sheet-title">${now.sheet.title()}</h2>
      <button class="quiet" @click=${closeSheet} aria-label=${t("shell.close")}>
        ${icon("close")}
      </button>
    </header>
    ${now.sheet.view(now)}
  </section>
`;

/** A new screen or sheet takes the focus, so that the keyboard and the voice start there. */
function followFocus(main) {
  document.title = `${state.route.screen.title(state.route.params)} · Trayscore`;
  if (state.sheet !== shownSheet) {
    if (state.sheet) root.querySelector(".sheet").focus();
    else if (focusBefore?.isConnected) focusBefore.focus();
    shownSheet = state.sheet;
  }
  const shown = `${state.route.name} ${JSON.stringify(state.route.params)}`;
  if (shown === shownRoute) return;
  if (shownRoute !== null) {
    (main.querySelector("h1") ?? main).focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  shownRoute = shown;
}

const other = (language) => (language === "en" ? "de" : "en");
const otherLanguage = () => void choose({ language: other(state.settings.language) });

function skip(event) {
  event.preventDefault();
  root.querySelector("main").focus();
}
