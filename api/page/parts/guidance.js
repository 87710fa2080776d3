/** What to do with the camera, by what a frame shows: one thing at a time, the gravest first. */

const FAR = 0.22; // share of the frame's shorter side that the seven holes should span
const NEAR = 0.75;
const HIDDEN = 0.12;
const DOUBTFUL = 0.98;

/** The key of a word of guidance, for a light reading with the size of its frame. */
export function guidance(seen) {
  if (!seen) return "start";
  const { status, warnings = [], seats = {} } = seen;
  if (warnings.includes("hand_in_view")) return "hand";
  if (warnings.includes("too_dark")) return "dark";
  if (status === "no_tray" || status === "bad_image" || !seats.C) return "find";
  if (warnings.includes("cropped")) return "whole";
  const span = holes(seats) / Math.min(...seen.size);
  if (span < FAR) return "closer";
  if (span > NEAR) return "farther";
  if (warnings.includes("blurred")) return "still";
  if (status === "certain") return "hold";
  if (seats.C.p < DOUBTFUL && seats.C.visible < HIDDEN) return "tilt";
  return "unsure";
}

/** How far the seven holes reach across the frame, in pixels. */
function holes(seats) {
  const uv = Object.entries(seats)
    .filter(([seat]) => seat[0] === "C" || seat[0] === "R")
    .map(([, entry]) => entry.uv);
  const reach = (k) => Math.max(...uv.map((at) => at[k])) - Math.min(...uv.map((at) => at[k]));
  return Math.max(reach(0), reach(1));
}
