/** One tap: a sample photo is fetched, read and scored, and its verdict shown. */

import { scorePhotos } from "./photo.js";
import { go } from "./router.js";
import { update } from "./store.js";

/** Score a sample with its own cards; ends on the verdict. */
export async function scoreSample({ name, cards }) {
  update("photo", { busy: true });
  const response = await fetch(`samples/${name}.jpg`);
  const photo = new File([await response.blob()], `${name}.jpg`, { type: "image/jpeg" });
  update("photo", { cards });
  go("/photo/verdict");
  await scorePhotos([photo]);
}
