/** Dimension before it is played: sample photos, screens of its own, and where the rest is. */

const FOLDER = "games/dimension";

/** Photos of a tray in play, as the service has them; a test compares the two. */
const SAMPLES = [
  {
    name: "bright.jpg",
    picture: `${FOLDER}/samples/bright.webp`,
    title: { en: "Eight spheres, all cards met", de: "Acht Kugeln, alle Karten erfüllt" },
    cards: ["touch:BG", "apart:KW", "notabove:O", "exactly:1W", "sum4:GK", "notbelow:K"],
  },
  {
    name: "lamp.jpg",
    picture: `${FOLDER}/samples/lamp.webp`,
    title: { en: "A whole pyramid by lamplight", de: "Eine ganze Pyramide im Lampenlicht" },
    cards: ["touch:BW", "exactly:2O", "notabove:G", "notabove:B", "touch:GG", "more:GO"],
  },
  {
    name: "pyramid.jpg",
    picture: `${FOLDER}/samples/pyramid.webp`,
    title: { en: "One sphere is hidden", de: "Eine Kugel ist verdeckt" },
    cards: ["touch:BK", "exactly:2O", "more:GO", "notbelow:K", "touch:OB", "notabove:O"],
  },
  {
    name: "sun.jpg",
    picture: `${FOLDER}/samples/sun.webp`,
    title: { en: "Nine spheres in the sun", de: "Neun Kugeln in der Sonne" },
    cards: ["touch:GW", "exactly:2O", "apart:OB", "notbelow:G", "sum4:WO", "notabove:O"],
  },
];

const startPhoto = () => import("./start-photos/start-photo.js");

export const DIMENSION = {
  id: "dimension",
  samples: SAMPLES,
  routes: [
    { path: "/table/:id/start", name: "start", load: startPhoto },
    { path: "/table/:id/start/:player", name: "start", load: startPhoto },
    { path: "/table/:id/cards", name: "reveal", load: () => import("./cards/tap-in.js") },
  ],
  styles: [`${FOLDER}/drawings.css`, `${FOLDER}/panels.css`, `${FOLDER}/round.css`],
  load: () => import("./game.js"),
};
