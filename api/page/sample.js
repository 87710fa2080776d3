/** Sample photos: one tap, and one is fetched, read and scored, and its verdict shown. */

import { call } from "./api.js";
import { scorePhotos } from "./photo.js";
import { go } from "./router.js";
import { update } from "./store.js";

/** Score a sample with its own cards; ends on the verdict. */
export async function scoreSample({ name, cards }) {
  update("photo", { busy: true, problem: null });
  const blob = await call("sample", { path: { name } });
  update("photo", { cards });
  go("/photo/verdict");
  await scorePhotos([new File([blob], name, { type: blob.type })]);
}
