/** Photos to try the page with, each with six cards to score it by. */

export const SAMPLES = [
  {
    name: "pyramid",
    cards: ["touch:OG", "exactly:2K", "notabove:O", "apart:WW", "more:GO", "sum4:OB"],
  },
  {
    name: "bright",
    cards: ["touch:BG", "apart:KW", "notabove:O", "exactly:1W", "sum4:GK", "notbelow:K"],
  },
  {
    name: "doubt",
    cards: ["exactly:2O", "touch:BK", "notbelow:W", "notabove:B", "more:GO", "sum4:WO"],
  },
  {
    name: "slanted",
    cards: ["touch:OB", "apart:WW", "notabove:W", "apart:BG", "notbelow:K", "more:BW"],
  },
];
