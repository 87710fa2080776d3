/** A button that takes one more photo of the same tray with the device's own camera app. */

import { html } from "../vendor/lit-html.js";
import { t } from "../i18n/index.js";
import { icon } from "./icons.js";

/** The button; `onPhoto(file)` gets the photo. */
export const angleButton = (onPhoto) => html`
  <label class="button">
    ${icon("angle")} ${t("photo.angle")}
    <input type="file" accept="image/*" capture="environment" @change=${(event) => picked(event, onPhoto)} />
  </label>
`;

/** Hand on what was picked, and be ready for the same file again. */
export function picked(event, onPhoto) {
  const files = [...event.target.files];
  event.target.value = "";
  files.forEach(onPhoto);
}
