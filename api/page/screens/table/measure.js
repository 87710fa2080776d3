/** Measure: one photo of a tray before the game, and what was measured, drawn on it. */

import { ApiError, call, photoForm } from "../../api.js";
import { showIn } from "../../camera.js";
import { startFilming, stopFilming } from "../../filming.js";
import { number, t } from "../../i18n/index.js";
import { capturePanel } from "../../parts/capture.js";
import { icon } from "../../parts/icons.js";
import { measuredOverlay, startTray } from "../../parts/measured.js";
import { refusalWords } from "../../parts/refusal.js";
import { go } from "../../router.js";
import { chooseSetup } from "../../setup.js";
import { prepareShot } from "../../shot.js";
import { update } from "../../store.js";
import { html, nothing } from "../../vendor/lit-html.js";
import { maySleep } from "../../wake.js";

export const title = () => t("measure.title");

export async function enter() {
  update("look", { shot: null, reading: null, profile: null, refused: null, busy: false });
  await startFilming(measure, null);
}

export function leave() {
  stopFilming();
  maySleep();
}

export const shown = (main) => showIn(main.querySelector("video"));

export const view = ({ look, camera }) => html`
  <h1 tabindex="-1">${t("measure.title")}</h1>
  ${look.busy
    ? html`<p class="busy" role="status">${t("measure.busy")}</p>`
    : look.profile
      ? measured(look)
      : html`
          <p class="lead">${t("measure.lead")}</p>
          ${look.refused
            ? html`<p class="message unsure" role="alert">
                ${icon("doubt")}<span>${look.refused}</span>
              </p>`
            : nothing}
          ${capturePanel({ camera, onPhoto: measure, instead: startTray })}
        `}
`;

const measured = ({ shot, reading, profile }) => html`
  <p class="message sure">${icon("check")}<span>${t("measure.done")}</span></p>
  <div class="measured">
    <div class="pane">${measuredOverlay(shot, reading)}</div>
    <dl class="figures">
      ${figure("pitch", profile.pitch_mm)} ${figure("hole", profile.hole_mm)}
      ${figure("slots", profile.slot_radius_mm)}
    </dl>
  </div>
  ${profile.warnings.length > 0
    ? html`<ul class="message unsure">${profile.warnings.map((words) => html`<li>${words}</li>`)}</ul>`
    : nothing}
  <div class="actions">
    <button @click=${() => void enter()}>${icon("camera")} ${t("measure.again")}</button>
    <button class="primary" @click=${() => take(profile)}>${icon("check")} ${t("measure.take")}</button>
  </div>
`;

const figure = (name, mm) => html`
  <div><dt>${t(`measure.${name}`)}</dt><dd>${number(Math.round(10 * mm) / 10)} mm</dd></div>
`;

/** Measure the tray, then read the same photo by what was measured: that can be looked at. */
async function measure(photo) {
  stopFilming();
  update("look", { busy: true, refused: null });
  const name = `tray-${Date.now().toString(36)}`;
  try {
    const [profile, shot] = await Promise.all([
      call("measure", { form: photoForm([photo], { name }) }),
      prepareShot(photo),
    ]);
    const { readings } = await call("read", { form: photoForm([photo], { tray: profile.name }) });
    update("look", { busy: false, profile, shot, reading: readings[0] });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    update("look", { busy: false, refused: refusalWords(error) });
  }
}

function take({ name }) {
  chooseSetup({ tray: name });
  go("/table/new");
}
