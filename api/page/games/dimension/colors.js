/** The five colours, each with a letter and a rim pattern: nothing is told by colour alone. */

export const COLORS = ["O", "B", "G", "K", "W"];

/** Fill of a sphere, ink of its letter and pattern. Checked for colour-blind eyes by a test. */
export const PAINT = {
  O: { fill: "#ff9d2e", ink: "#231400", pattern: "dots" },
  B: { fill: "#1c45c4", ink: "#ffffff", pattern: "stripes" },
  G: { fill: "#2aad63", ink: "#001a0c", pattern: "teeth" },
  K: { fill: "#15161a", ink: "#ffffff", pattern: "ring" },
  W: { fill: "#fbf8f0", ink: "#1a1a1e", pattern: "plain" },
};

/** Spheres of each colour that a player owns. */
export const PER_COLOR = 3;
