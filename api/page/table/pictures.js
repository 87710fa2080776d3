/** Photos that the service keeps, fetched with the token and ready to be shown, by address. */

import { ApiError, authorized } from "../service/api.js";
import { prepareShot } from "../device/shot.js";
import { update } from "../shell/store.js";

const asked = new Set();

/** Have the pictures at these addresses in `state.pictures`, each asked for once. */
export function loadPictures(addresses, token) {
  for (const address of addresses) {
    if (address && !asked.has(address)) void load(address, token);
  }
}

async function load(address, token) {
  asked.add(address);
  try {
    const shot = await prepareShot(await authorized(address, token));
    update("pictures", { [address]: shot });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // gone: what is shown does without it
  }
}
