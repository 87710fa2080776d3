/** Solo games over time: a dot a game, a line through them, the best one marked. */

import { html, svg } from "../../vendor/lit-html.js";
import { language, t } from "../../i18n/index.js";

const [WIDTH, HEIGHT, MARGIN] = [640, 240, 34];

/** The plot of games [{at, total}], oldest first. */
export const soloPlot = (games) => {
  const totals = games.map(({ total }) => total);
  const [low, high] = [Math.min(...totals, 0), Math.max(...totals, 10)];
  const x = (i) => MARGIN + ((WIDTH - 2 * MARGIN) * (games.length > 1 ? i : 0.5)) / Math.max(1, games.length - 1);
  const y = (total) => HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (total - low)) / (high - low);
  const best = Math.max(...totals);
  return html`
    <figure class="plot">
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${spoken(games, best)}>
        ${steps(low, high).map(
          (value) => svg`
            <line class="grid" x1=${MARGIN} x2=${WIDTH - MARGIN} y1=${y(value)} y2=${y(value)} />
            <text class="axis" x=${MARGIN - 8} y=${y(value) + 5} text-anchor="end">${value}</text>`,
        )}
        <polyline class="course" points=${games.map(({ total }, i) => `${x(i)},${y(total)}`).join(" ")} />
        ${games.map(
          ({ total }, i) => svg`
            <circle class="dot ${total === best ? "best-dot" : ""}" cx=${x(i)} cy=${y(total)} r=${total === best ? 8 : 5} />`,
        )}
        <text class="axis" x=${MARGIN} y=${HEIGHT - 8}>${day(games[0].at)}</text>
        <text class="axis" x=${WIDTH - MARGIN} y=${HEIGHT - 8} text-anchor="end">${day(games.at(-1).at)}</text>
      </svg>
      <figcaption>${t("games.plot", { n: games.length, best })}</figcaption>
    </figure>
  `;
};

/** A day, as the language writes it. */
export const day = (seconds) =>
  new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(new Date(1000 * seconds));

/** Round values between two, four or five of them. */
function steps(low, high) {
  const step = [5, 10, 20, 50].find((one) => (high - low) / one <= 5) ?? 100;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

const spoken = (games, best) =>
  `${t("games.plot", { n: games.length, best })} ${games.map(({ total }) => total).join(", ")}`;
