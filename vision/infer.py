"""From evidence to a layout: the most probable legal one, and how probable it is among all.

Every occupancy that the search leaves is weighed exactly: summed over all its colourings under
the counts of colours, storage included. What is neither in storage nor seen must be what is
hidden; a colour that is there four times is noticed, not forced away.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf

import numpy as np
from numpy.typing import NDArray

from calibration.profile import ALL_SEATS
from rules.dimension.board import SEATS
from rules.dimension.layout import COLORS, Layout
from vision.counts import AFTER, Coloring
from vision.evidence import PLAY, STATES, Observer
from vision.occupancy import Occupancy, Witness, search
from vision.prior import OWNED, PRIOR, Prior, count_weights, placement_log, shape_logs

FloatArray = NDArray[np.float64]

MOST_WEIGHED = 24
"""Occupancies that are summed over colours, the likeliest ones; each costs about a millisecond."""

FARTHEST_WEIGHED = 14.0
"""Occupancies further behind (in nats) would change no probability by a millionth."""

LEAST_MARGINAL = 1e-5
"""Colours of a seat less probable than this are not followed up to whole layouts."""

MOST_LAYOUTS = 512


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is to be believed of a tray after a look at it."""

    layouts: dict[Layout, float]
    """Layouts and their probabilities, most probable first; together nearly 1."""
    marginals: FloatArray
    """Probability (29, 6) of each seat's states."""
    visible: FloatArray
    """Visible share (29,) of a sphere on each seat, in the most probable occupancy."""
    incomplete: float
    """Probability that not all fifteen spheres lie on the tray."""
    impossible: float
    """Probability that a colour is there more often than a player has it."""

    @property
    def layout(self) -> Layout:
        """The most probable layout."""
        return next(iter(self.layouts))

    @property
    def probability(self) -> float:
        """How probable the most probable layout is, uncalibrated."""
        return self.layouts[self.layout]

    def color(self, seat: int) -> str | None:
        """What lies on a seat: as the layout says, or most probably so in storage."""
        state = self.layout.cells[seat] if seat < PLAY else STATES[self.marginals[seat].argmax()]
        return state if state in COLORS else None

    def p(self, seat: int) -> float:
        """Probability of what ``color`` says of a seat."""
        return float(self.marginals[seat, STATES.index(self.color(seat) or STATES[0])])


def infer(observer: Observer, inventory: bool = True, prior: Prior = PRIOR) -> Posterior:
    """What is to be believed of the tray that this observer sees.

    ``inventory`` is False where storage is cut off by the picture's edge: then nothing is
    concluded from what is not there.
    """
    return weigh(search(Witness(observer, inventory)), inventory, prior)


def weigh(
    occupancies: Sequence[Occupancy], inventory: bool = True, prior: Prior = PRIOR
) -> Posterior:
    """What is to be believed if the tray has one of these occupancies (at least one)."""
    weights = count_weights(prior, inventory)
    cases = [_Case(occupancy, weights, prior, inventory) for occupancy in occupancies]
    best = max(case.bound for case in cases)
    cases = sorted(cases, key=lambda case: -case.bound)[:MOST_WEIGHED]
    cases = [case for case in cases if case.bound > best - FARTHEST_WEIGHED]
    logs = np.array([case.log_total for case in cases])
    shares = np.exp(logs - np.logaddexp.reduce(logs))
    layouts: dict[str, float] = {}
    for case, share in zip(cases, shares, strict=True):
        for cells, p in case.layouts().items():
            layouts[cells] = layouts.get(cells, 0.0) + p * float(share)
    ranked = sorted(layouts.items(), key=lambda entry: (-entry[1], entry[0]))
    return Posterior(
        layouts={Layout(cells): min(p, 1.0) for cells, p in ranked},
        marginals=np.asarray(sum(s * c.marginals() for s, c in zip(shares, cases, strict=True))),
        visible=cases[int(shares.argmax())].occupancy.visible,
        incomplete=float(sum(s for s, c in zip(shares, cases, strict=True) if c.spheres < OWNED)),
        impossible=float(sum(s * c.impossible for s, c in zip(shares, cases, strict=True))),
    )


class _Case:
    """One occupancy, and the colours of its spheres: those to play first, then storage."""

    def __init__(
        self, occupancy: Occupancy, weights: FloatArray, prior: Prior, inventory: bool
    ) -> None:
        self.occupancy = occupancy
        self.filled = [i for i in range(len(ALL_SEATS)) if occupancy.seats >> i & 1]
        self.spheres = len(self.filled)
        self._empty = [i for i in range(len(ALL_SEATS)) if not occupancy.seats >> i & 1]
        colors = occupancy.loglik[self.filled, 1:]
        top = colors.max(axis=1, keepdims=True) if self.filled else np.zeros((0, 1))
        self._scale = float(top.sum() + occupancy.loglik[self._empty, 0].sum())
        self._place = shape_logs(prior)[occupancy.shape]
        self._place += placement_log(occupancy.stored) if inventory else 0.0
        likelihoods = np.maximum(np.exp(colors - top), prior.astray)
        self.coloring = Coloring(likelihoods, weights)
        self._likely_number = float(weights.reshape(-1)[_typical_state(self.spheres)])

    @property
    def bound(self) -> float:
        """About the log-probability: as if colours did not depend on each other."""
        free = np.log(self.coloring.likelihoods.mean(axis=1)).sum()
        spread = self.spheres * np.log(len(COLORS))
        return float(self._scale + self._place + free + spread + np.log(self._likely_number))

    @property
    def log_total(self) -> float:
        """The log-probability of the occupancy, up to a constant."""
        total = self.coloring.total
        return self._scale + self._place + float(np.log(total)) if total > 0.0 else -inf

    @property
    def impossible(self) -> float:
        """Probability that counts are impossible, given the occupancy."""
        return self.coloring.impossible / self.coloring.total

    def marginals(self) -> FloatArray:
        """Probability (29, 6) of each seat's states, given the occupancy."""
        table = np.zeros((len(ALL_SEATS), len(STATES)))
        table[self._empty, 0] = 1.0
        table[self.filled, 1:] = self.coloring.marginals()
        return table

    def layouts(self) -> dict[str, float]:
        """Whole layouts (their cells) with their probabilities given the occupancy.

        Built seat by seat from colours that are at all probable; each one's probability is exact,
        summed over all that may lie in storage.
        """
        played = [seat for seat in self.filled if seat < PLAY]
        marginals = self.coloring.marginals()
        cells = np.zeros((1, len(SEATS)), dtype=np.int64)
        state, guess, likely = np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1)
        for row, seat in enumerate(played):
            colors = np.flatnonzero(marginals[row] > LEAST_MARGINAL)
            parent = np.repeat(np.arange(len(cells)), len(colors))
            color = np.tile(colors, len(cells))
            guess = guess[parent] + np.log(marginals[row, color])
            keep = np.argsort(-guess, kind="stable")[:MOST_LAYOUTS]
            parent, color, guess = parent[keep], color[keep], guess[keep]
            likely = likely[parent] + np.log(self.coloring.likelihoods[row, color])
            cells, state = cells[parent], AFTER[color, state[parent]]
            cells[:, seat] = color + 1
        rest = self.coloring.backward[len(played)][state]
        p = np.exp(likely) * rest / self.coloring.total
        return {"".join(STATES[i] for i in row): float(q) for row, q in zip(cells, p, strict=True)}


def _typical_state(spheres: int) -> int:
    """The counts of so many spheres spread evenly over the colours."""
    state = 0
    for i in range(min(spheres, 4 * len(COLORS))):
        state = int(AFTER[i % len(COLORS), state])
    return state


def storage_letters(posterior: Posterior) -> dict[str, str]:
    """The colours in storage by place, where there is a sphere."""
    found = {ALL_SEATS[i]: posterior.color(i) for i in range(PLAY, len(ALL_SEATS))}
    return {place: color for place, color in found.items() if color is not None}


def log_odds(p: float) -> float:
    """The logarithm of p : 1 − p, finite for any p."""
    p = min(max(p, exp(-36.0)), 1.0 - 1e-15)
    return float(np.log(p) - np.log1p(-p))
