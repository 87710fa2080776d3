/** The sample photos that show a tray in play, as the service has them; a test compares the two. */

export const SAMPLES = [
  {
    name: "bright.jpg",
    title: { en: "Eight spheres, all cards met", de: "Acht Kugeln, alle Karten erfüllt" },
    cards: ["touch:BG", "apart:KW", "notabove:O", "exactly:1W", "sum4:GK", "notbelow:K"],
  },
  {
    name: "lamp.jpg",
    title: { en: "A whole pyramid by lamplight", de: "Eine ganze Pyramide im Lampenlicht" },
    cards: ["touch:BW", "exactly:2O", "notabove:G", "notabove:B", "touch:GG", "more:GO"],
  },
  {
    name: "pyramid.jpg",
    title: { en: "One sphere is hidden", de: "Eine Kugel ist verdeckt" },
    cards: ["touch:BK", "exactly:2O", "more:GO", "notbelow:K", "touch:OB", "notabove:O"],
  },
  {
    name: "sun.jpg",
    title: { en: "Nine spheres in the sun", de: "Neun Kugeln in der Sonne" },
    cards: ["touch:GW", "exactly:2O", "apart:OB", "notbelow:G", "sum4:WO", "notabove:O"],
  },
];
