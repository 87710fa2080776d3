"""From evidence to a layout: the most probable legal one, and how probable it is among all.

Every occupancy that the search leaves is weighed exactly: summed over all its colourings under
the counts of colours, storage included. What is neither in storage nor seen must be what is
hidden; a colour that is there four times is noticed, not forced away.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np
from numpy.typing import NDArray

from calibration.camera import View
from rules.dimension.layout import COLORS, PER_COLOR, Layout
from rules.dimension.places import ALL_SEATS, PLAY, SPHERES
from vision.dimension.inferring.colorings import AFTER, Coloring, by_state, full
from vision.dimension.inferring.occupancy import Occupancy, Witness, search
from vision.dimension.inferring.prior import (
    MOST_COUNTED,
    PRIOR,
    Prior,
    count_weights,
    one_more_borrowed,
    placement_log,
    shape_logs,
)
from vision.dimension.inferring.tidy_storage import TidyStorage
from vision.dimension.observing.seat_evidence import PLAY_SET, STATES, EvidenceSource

FloatArray = NDArray[np.float64]

MOST_WEIGHED = 16
"""Occupancies that are summed over colours, the likeliest ones."""

FARTHEST_WEIGHED = 9.0
"""Occupancies further behind the best (in nats) change no probability by a thousandth."""

MOST_RAISES = 4
PRICE_STEP = 2.0
"""How often a colour that comes out too often gets a higher price, and by how many nats."""

LEAST_SHARE = 3e-4
"""Occupancies less probable than this, against the most probable one, are left out in the end."""

LEAST_MARGINAL = 1e-7
"""Less probable colours of a seat are left out of whole layouts."""

MOST_LAYOUTS = 128

_LETTERS = np.frombuffer(STATES.encode("ascii"), np.uint8)


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior of a tray: what its photo says about every seat."""

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
    strain: float = 0.0
    """By how many nats the seats, each by itself, prefer other states than the layout gives them:
    high where counts and shapes force a reading that the evidence does not support."""
    view: float = 1.0
    """Probability that the view is right, by its own signs."""
    tilt_deg: float = 0.0
    """Tilt of the camera away from straight above, in degrees; the least of several photos."""

    def seen_in(self, view: View, probability: float) -> "Posterior":
        """The same, with the view and the probability that it is right."""
        return replace(self, view=probability, tilt_deg=view.pose.tilt_deg)

    @property
    def layout(self) -> Layout:
        """The most probable layout."""
        return next(iter(self.layouts))

    @property
    def probability(self) -> float:
        """How probable the most probable layout is in this view, uncalibrated."""
        return self.layouts[self.layout]

    def color(self, seat: int) -> str | None:
        """The colour on a seat: by the layout, or the most probable one in storage."""
        state = self.layout.cells[seat] if seat < PLAY else STATES[self.marginals[seat].argmax()]
        return state if state in COLORS else None

    @property
    def filled(self) -> NDArray[np.bool_]:
        """Which of the 29 seats hold a sphere, as ``color`` says."""
        return np.array([self.color(seat) is not None for seat in range(len(ALL_SEATS))])

    def p(self, seat: int) -> float:
        """Probability of what ``color`` says of a seat."""
        return float(self.marginals[seat, STATES.index(self.color(seat) or STATES[0])])


def infer(observer: EvidenceSource, inventory: bool = True, prior: Prior = PRIOR) -> Posterior:
    """The posterior of the tray that this observer sees.

    The search knows nothing of counts. Where a colour comes out too often (empty slots of a green
    tray that look like green spheres), it is made dearer and searched again.
    ``inventory`` is False where storage is cut off by the picture's edge: then nothing is
    concluded from what is not there.
    """
    witness = Witness(observer, inventory)
    chosen = likeliest(search(witness), inventory, prior)
    posterior = weigh([witness.testimony(seats) for seats in chosen], inventory, prior)
    prices, considered = np.zeros(len(COLORS)), set(chosen)
    for _ in range(MOST_RAISES):
        too_many = posterior.marginals[:, 1:].sum(axis=0) > PER_COLOR + 0.5
        if not too_many.any():
            break
        prices += PRICE_STEP * too_many
        considered |= set(likeliest(search(witness, prices), inventory, prior))
        posterior = weigh([witness.testimony(seats) for seats in considered], inventory, prior)
    return posterior


def likeliest(
    hypotheses: Mapping[int, float], inventory: bool = True, prior: Prior = PRIOR
) -> list[int]:
    """The sets of occupied seats worth weighing, likeliest first, given their log-likelihoods."""
    weights = count_weights(prior, inventory)
    scores = {
        seats: found
        + _place_log(seats, inventory, prior)
        + seats.bit_count() * log(len(COLORS))
        + log(weights[_even_counts(seats.bit_count())])
        for seats, found in hypotheses.items()
    }
    ranked = sorted(scores, key=lambda seats: -scores[seats])[:MOST_WEIGHED]
    return [seats for seats in ranked if scores[seats] > scores[ranked[0]] - FARTHEST_WEIGHED]


def weigh(
    occupancies: Sequence[Occupancy], inventory: bool = True, prior: Prior = PRIOR
) -> Posterior:
    """The posterior if the tray has one of these occupancies (at least one)."""
    cases = [_OccupancyCase(occupancy, inventory, prior) for occupancy in occupancies]
    logs = np.array([case.log_total for case in cases])
    shares = np.exp(logs - np.logaddexp.reduce(logs))
    kept = np.flatnonzero(shares >= LEAST_SHARE * shares.max())
    shares = shares[kept] / shares[kept].sum()
    weighed = [(float(share), cases[i]) for i, share in zip(kept, shares, strict=True)]
    marginals = np.asarray(sum(share * case.marginals() for share, case in weighed))
    best = occupancies[int(np.argmax(logs))]
    return Posterior(
        layouts=_ranked_layouts(weighed),
        marginals=marginals,
        visible=best.visible,
        incomplete=sum(share for share, case in weighed if case.spheres < SPHERES),
        impossible=sum(share * case.impossible for share, case in weighed),
        strain=_strain(best.loglik, marginals),
    )


def _strain(loglik: FloatArray, marginals: FloatArray) -> float:
    """By how much the likeliest states of all seats together beat the ones chosen."""
    believed = np.take_along_axis(loglik, marginals.argmax(axis=1)[:, None], axis=1)
    return float((loglik.max(axis=1) - believed[:, 0]).sum())


def _ranked_layouts(weighed: Sequence[tuple[float, "_OccupancyCase"]]) -> dict[Layout, float]:
    """All layouts of the cases with their probabilities, most probable first."""
    found: dict[str, float] = {}
    for share, case in weighed:
        for cells, p in case.layouts().items():
            found[cells] = found.get(cells, 0.0) + p * share
    ranked = sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
    return {Layout(cells): min(p, 1.0) for cells, p in ranked}


class _OccupancyCase:
    """One occupancy and the colours of its spheres, in play and in storage (tidy or not)."""

    def __init__(self, occupancy: Occupancy, inventory: bool, prior: Prior) -> None:
        seats = range(len(ALL_SEATS))
        self._filled = [seat for seat in seats if occupancy.seats >> seat & 1]
        self._empty = [seat for seat in seats if not occupancy.seats >> seat & 1]
        self._played = [seat for seat in self._filled if seat < PLAY]
        self._slots = [(seat - PLAY) // PER_COLOR for seat in self._filled if seat >= PLAY]
        self.spheres = len(self._filled)
        self.visible = occupancy.visible
        colors = occupancy.loglik[self._filled, 1:]
        top = colors.max(axis=1, keepdims=True, initial=-np.inf)
        self._scale = float(top.sum() + occupancy.loglik[self._empty, 0].sum())
        self._scale += _place_log(occupancy.seats, inventory, prior)
        likely, again = np.exp(colors - top), one_more_borrowed(prior)
        count = len(self._played)
        weights = by_state(count_weights(prior, inventory), self.spheres)
        self._tidiness = prior.tidy if inventory else 0.0
        self._anyhow = Coloring(likely[count:], weights, again, before=count)
        self._tidy = TidyStorage(likely[count:], self._slots, count, prior)
        stored = (1.0 - self._tidiness) * self._anyhow.backward[0]
        if self._tidiness:
            stored = stored + self._tidiness * self._tidy.table()
        self._coloring = Coloring(likely[:count], stored, again)

    @property
    def log_total(self) -> float:
        """The log-probability of the occupancy, up to a constant."""
        return self._scale + log(self._coloring.total)

    @property
    def _in_play(self) -> FloatArray:
        """The summed likelihood of what is in play, by its state."""
        return self._coloring.forward[-1]

    @property
    def _untidy(self) -> float:
        """Probability that storage is not tidy, given the occupancy."""
        anyhow = float(self._in_play @ self._anyhow.backward[0])
        return (1.0 - self._tidiness) * anyhow / self._coloring.total

    @property
    def impossible(self) -> float:
        """Probability that counts are impossible, given the occupancy."""
        anyhow = self._anyhow.impossible_after(self._in_play)
        return (1.0 - self._tidiness) * anyhow / self._coloring.total

    def marginals(self) -> FloatArray:
        """Probability (29, 6) of each seat's states, given the occupancy."""
        table = np.zeros((len(ALL_SEATS), len(STATES)))
        table[self._empty, 0] = 1.0
        table[self._played, 1:] = self._coloring.marginals
        if self._slots:
            untidy = self._untidy
            stored = untidy * self._anyhow.marginals_after(self._in_play)
            if self._tidiness:
                stored = stored + (1.0 - untidy) * self._tidy.colors(self._in_play)[self._slots]
            table[self._filled[len(self._played) :], 1:] = stored
        return table

    def layouts(self) -> dict[str, float]:
        """Whole layouts (their cells) with their probabilities given the occupancy.

        Built seat by seat from colours that are at all probable; each one's probability is exact,
        summed over all that may lie in storage.
        """
        cells = np.zeros((1, PLAY), dtype=np.int64)
        state, guess, likely = np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1)
        for row, seat in enumerate(self._played):
            marginals = self._coloring.marginals[row]
            colors = np.flatnonzero(marginals > LEAST_MARGINAL)
            parent = np.repeat(np.arange(len(cells)), len(colors))
            color = np.tile(colors, len(cells))
            guess = guess[parent] + np.log(marginals[color])
            keep = np.argsort(-guess, kind="stable")[:MOST_LAYOUTS]
            parent, color, guess = parent[keep], color[keep], guess[keep]
            cells, state = cells[parent], state[parent]
            gain = self._coloring.likelihoods[row, color]
            gain = gain * np.where(full(row)[color, state], self._coloring.again, 1.0)
            likely, state = likely[parent] + np.log(gain), AFTER[color, state]
            cells[:, seat] = color + 1
        rest = self._coloring.last[state]
        p = (np.exp(likely) * rest / self._coloring.total).tolist()
        text = _LETTERS[cells].tobytes().decode("ascii")
        return {text[i * PLAY : (i + 1) * PLAY]: q for i, q in enumerate(p)}


def _place_log(seats: int, inventory: bool, prior: Prior) -> float:
    """Log-probability of the places of spheres, given how many lie in play and in storage."""
    stored = placement_log((seats >> PLAY).bit_count()) if inventory else 0.0
    return shape_logs(prior)[seats & PLAY_SET] + stored


def _even_counts(spheres: int) -> tuple[int, ...]:
    """The counts of so many spheres spread evenly over the colours."""
    share, more = divmod(min(spheres, MOST_COUNTED * len(COLORS)), len(COLORS))
    return tuple(share + (color < more) for color in range(len(COLORS)))


def storage_letters(posterior: Posterior) -> dict[str, str]:
    """The colours in storage by place, where there is a sphere."""
    found = {ALL_SEATS[i]: posterior.color(i) for i in range(PLAY, len(ALL_SEATS))}
    return {place: color for place, color in found.items() if color is not None}
