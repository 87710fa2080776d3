/** Small line drawings, 24 × 24, in the colour of the text they stand in. */

import { html, svg } from "../vendor/lit-html.js";

/** An icon by name; hidden from screen readers, as words stand beside it or label its button. */
export const icon = (name) => html`
  <svg class="icon icon-${name}" viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>
`;

const path = (d) => svg`<path d=${d} />`;

const ICONS = {
  logo: svg`<circle cx="6.5" cy="17" r="4.4" /><circle cx="17.5" cy="17" r="4.4" />
    <circle class="filled" cx="12" cy="7.6" r="4.9" />`,
  settings: path("M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5M8 14.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5"),
  offline: path("M3 3l18 18M5 12.5a10 10 0 0 1 3.5-2.2M12.5 9.5A10 10 0 0 1 19 12.5M8.5 16a5 5 0 0 1 7 0M12 19.6h0.01"),
  close: path("M6 6l12 12M18 6L6 18"),
  camera: path("M4 8h3.5l1.5-2.5h6L16.5 8H20v11H4zM12 10a3.4 3.4 0 1 1 0 6.8a3.4 3.4 0 0 1 0-6.8"),
  picture: path("M4 5h16v14H4zM4 16l5-5 4 4 3-2.5 4 3.5M15.5 9h0.01"),
  table: path("M3 10h18M5 10l-1.5 10M19 10l1.5 10M12 10V4M8 4h8"),
  join: path("M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM19 14v6M14 20h2"),
  undo: path("M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11H9"),
  check: path("M5 12.5l4.5 4.5L19 7"),
  cross: path("M6 6l12 12M18 6L6 18"),
  doubt: path("M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18h0.01"),
  speaker: path("M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11"),
  star: path("M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9L12 16.9l-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z"),
  back: path("M14.5 5l-7 7 7 7"),
  next: path("M9.5 5l7 7-7 7"),
  plus: path("M12 5v14M5 12h14"),
  angle: path("M4 17a8 8 0 0 1 14-5.3M18.5 7v5h-5M12 17h0.01"),
  cards: path("M4 7l8-3 6 13-8 3zM16 5h4v12"),
  eye: path("M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.4a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 0 1 0-5.2"),
  edit: path("M5 19l1-4L16 5l3 3L9 18zM14 7l3 3"),
  time: path("M6 3h12M6 21h12M7.5 3c0 5 4.5 6 4.5 9s-4.5 4-4.5 9M16.5 3c0 5-4.5 6-4.5 9s4.5 4 4.5 9"),
  score: path("M4 20V11h4v9M10 20V4h4v16M16 20v-6h4v6"),
  devices: path("M3 5h12v9H3zM3 17h8M15 9h6v11h-6zM18 17.3h0.01"),
  lock: path("M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3"),
  flag: path("M6 21V4M6 5h11l-2.5 4L17 13H6"),
  key: path("M8 8.5a4 4 0 1 1 0 8a4 4 0 0 1 0-8M11.5 11.5L20 3.5M16 7.5l3 3"),
  trash: path("M4 6.5h16M9 6V4h6v2M6.5 6.5l1 14h9l1-14M10 10.5v6M14 10.5v6"),
  minus: path("M5 12h14"),
  save: path("M12 4v11M7.5 11l4.5 4.5L16.5 11M4.5 20h15"),
  share: path("M12 15V4M8 7.5L12 3.5l4 4M6 11H4.5v9.5h15V11H18"),
  person: path("M12 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8M4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6"),
  hand: path("M8 13V6.5a1.5 1.5 0 0 1 3 0V11V4.5a1.5 1.5 0 0 1 3 0V11V6a1.5 1.5 0 0 1 3 0v8.500c0 4-2.500 6.500-6 6.500-3 0-4.500-1.500-6-4.500l-2-4a1.400 1.400 0 0 1 2.400-1.400z"),
};
