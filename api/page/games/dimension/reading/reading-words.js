/** What a reading says of itself, for people: what is unsure, and what to do about it. */

import { colorName, seatName } from "../names.js";
import { language, percent, t, tn } from "../../../i18n/index.js";
import { likelyLetters } from "./doubts.js";

const NAMED = 2;
const WARNINGS = [
  "unknown_tray",
  "views_disagree",
  "hand_in_view",
  "color_count_impossible",
  "spheres_off_tray",
  "other_tray_in_view",
  "cropped",
  "too_dark",
  "blurred",
];

/** Sentences about a reading, as far as corrections have not settled it. */
export function readingWords(reading, layout, doubtful) {
  if (!reading.layout) return t(`reading.${reading.status}`);
  if (reading.layout !== layout && doubtful.length === 0) return t("reading.corrected");
  // The service's own words know from which side another photo would help; they are English.
  if (language() === "en" && reading.layout === layout) return reading.message;
  const says = [
    ...WARNINGS.filter((code) => reading.warnings.includes(code)).map((code) => t(`warning.${code}`)),
    ...doubtful.slice(0, NAMED).map((seat) => doubt(reading, seat)),
  ];
  if (doubtful.length > NAMED) says.push(tn("reading.moreDoubts", doubtful.length - NAMED));
  if (doubtful.length > 0) says.push(t("reading.whatToDo"));
  if (says.length > 0) return says.join(" ");
  return reading.status === "certain"
    ? t("reading.certain")
    : t("reading.lookOver", { p: percent(reading.confidence ?? 0) });
}

function doubt(reading, seat) {
  const [first, second] = likelyLetters(reading, seat).map(([letter]) => colorName(letter));
  const name = seatName(seat);
  return second
    ? t("reading.doubtBetween", { seat: name, first, second })
    : t("reading.doubt", { seat: name });
}
