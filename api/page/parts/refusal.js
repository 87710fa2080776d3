/** What the service refused, in the language of the page. */

import { language, t } from "../i18n/index.js";

const KNOWN = [
  "already_joined",
  "already_played",
  "bad_image",
  "bad_name",
  "bad_players",
  "breaks_readers",
  "busy",
  "codes_rest",
  "consent_missing",
  "database_away",
  "disk_full",
  "dispute_open",
  "finished",
  "host_only",
  "names_alike",
  "no_pin",
  "no_table",
  "no_token",
  "not_an_image",
  "not_your_tray",
  "old_pin_needed",
  "own_word_stands",
  "pin_rests",
  "round_frozen",
  "round_locked",
  "same_photo",
  "too_large",
  "too_many",
  "too_many_photos",
  "took_too_long",
  "tray_unfinished",
  "trays_missing",
  "unknown_player",
  "wrong_pin",
  "wrong_token",
];

const START = [
  "blurred",
  "cropped",
  "no_color",
  "no_holes",
  "no_tray",
  "not_at_start",
  "too_dark",
  "vague",
];

/** Words for a start photo that a tray could not be measured from. */
export function measureRefusal(error) {
  const why = error.errors.map(({ code }) => code).find((code) => START.includes(code));
  return error.code === "tray_refused" && why ? t(`start.refused.${why}`) : refusalWords(error);
}

/** Words for an `ApiError`; the service's own are English. */
export function refusalWords({ code, message }) {
  if (KNOWN.includes(code)) return t(`refused.${code}`);
  return language() === "en" && message ? message : t("refused.other");
}
