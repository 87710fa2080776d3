"""Judges readings against the truth.

A layout is exact if it equals the truth after a turn of the ring. A ``certain`` reading that is
not exact is a silent error, the worst there is. A photo is decidable if it holds enough: no sphere
is all but hidden, or just one, and then the other fourteen are to be seen on the tray.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

from rules.dimension.board import SEATS
from rules.dimension.layout import Layout
from rules.dimension.places import RING, SPHERES

Pair = tuple[float, bool]
"""A confidence, and whether the reading was right."""

HIDDEN_BELOW = 0.03
"""A sphere of which less is visible is all but hidden."""

BINS = 10
_Z = 1.96  # 95 %

EXACT, EXACT_UNSURE = "exact", "exact, unsure"
WRONG_UNSURE, SILENT_ERROR = "wrong, unsure", "SILENT ERROR"
NOT_FOUND, REFUSED, FALSE_TRAY = "not found", "refused", "false tray"


@dataclass(frozen=True)
class Judged:
    """A reading (as JSON) beside the truth of its photo."""

    truth: Mapping[str, Any]
    reading: Mapping[str, Any]

    @property
    def shows_tray(self) -> bool:
        """Whether there is a tray to be read."""
        return bool(self.truth["kind"] != "negative")

    @cached_property
    def decidable(self) -> bool:
        """Whether the photo holds enough to be read exactly."""
        if not self.shows_tray:
            return False
        hidden = sum(s["visible"] < HIDDEN_BELOW for s in self.truth["spheres"].values())
        on_tray = len(Layout.parse(self.truth["layout"])) + len(self.truth["slots"])
        return hidden == 0 or (hidden == 1 and on_tray == SPHERES)

    @cached_property
    def wrong_seats(self) -> int:
        """Seats that differ in the turn that suits the reading best; all if nothing was read."""
        if not self.reading.get("layout"):
            return len(SEATS)
        found, truth = Layout.parse(self.reading["layout"]), Layout.parse(self.truth["layout"])
        turns = (found.rotated(steps).cells for steps in range(RING))
        return min(sum(a != b for a, b in zip(cells, truth.cells, strict=True)) for cells in turns)

    @cached_property
    def outcome(self) -> str:
        """The outcome of the photo."""
        status = self.reading["status"]
        found = status not in ("no_tray", "bad_image") and self.reading.get("layout") is not None
        if not self.shows_tray:
            return REFUSED if status in ("no_tray", "bad_image") else FALSE_TRAY
        if not found:
            return NOT_FOUND
        if status == "certain":
            return EXACT if self.wrong_seats == 0 else SILENT_ERROR
        return EXACT_UNSURE if self.wrong_seats == 0 else WRONG_UNSURE

    @property
    def exact(self) -> bool:
        """Whether the whole layout was read as it is."""
        return self.outcome in (EXACT, EXACT_UNSURE)

    @property
    def certain(self) -> bool:
        """Whether the reading would be scored without a check."""
        return self.outcome in (EXACT, SILENT_ERROR)

    @property
    def failed(self) -> bool:
        """Whether the photo deserves a look: wrong, not found, or a false tray."""
        return self.outcome in (WRONG_UNSURE, SILENT_ERROR, NOT_FOUND, FALSE_TRAY)

    @property
    def confidence(self) -> float | None:
        """The reading's confidence, where there is a tray and one was read."""
        given = self.reading.get("confidence")
        return float(given) if self.shows_tray and given is not None else None


@dataclass(frozen=True)
class Tally:
    """Counts of photos by outcome."""

    photos: int
    exact: int
    seats: float
    """Share of the seats that were read right."""
    certain: int
    silent_errors: int
    not_found: int
    negatives: int
    false_trays: int

    @classmethod
    def of(cls, judged: Iterable[Judged]) -> "Tally":
        """The tally of these photos."""
        rows = list(judged)
        trays = [row for row in rows if row.shows_tray]
        outcomes = Counter(row.outcome for row in rows)
        wrong = sum(row.wrong_seats for row in trays)
        return cls(
            photos=len(trays),
            exact=outcomes[EXACT] + outcomes[EXACT_UNSURE],
            seats=1 - wrong / (len(SEATS) * max(1, len(trays))),
            certain=outcomes[EXACT] + outcomes[SILENT_ERROR],
            silent_errors=outcomes[SILENT_ERROR],
            not_found=outcomes[NOT_FOUND],
            negatives=outcomes[REFUSED] + outcomes[FALSE_TRAY],
            false_trays=outcomes[FALSE_TRAY],
        )

    def __str__(self) -> str:
        low, high = wilson(self.exact, self.photos)
        return (
            f"{self.photos:6d} {self.exact:6d} {_share(self.exact, self.photos)}"
            f" [{low:6.1%}, {high:6.1%}] {self.seats:8.2%} {_share(self.certain, self.photos)}"
            f" {self.silent_errors:6d} {self.not_found:9d} {self.false_trays:5d}/{self.negatives}"
        )


HEADER = (
    f"{'':24}{'photos':>6} {'exact':>6} {'':6} {'95 % interval':>16} {'seats':>8} {'certain':>7}"
    f" {'silent':>6} {'not found':>9} {'false trays':>11}"
)


def table(judged: Sequence[Judged], by: Mapping[str, Callable[[Judged], str | None]]) -> str:
    """The judge's table: all photos, the decidable ones, and a line for each word of each group.

    A photo of which a group's function says None is not in that group.
    """
    trays = [row for row in judged if row.shows_tray]
    lines = [HEADER, _line("all", judged)]
    lines.append(_line("decidable", [row for row in trays if row.decidable]))
    undecidable = [row for row in trays if not row.decidable]
    if undecidable:
        lines.append(_line("not from one photo", undecidable))
    for group, word_of in by.items():
        words = [word_of(row) for row in trays]
        for word in sorted({word for word in words if word is not None}):
            members = [row for row, said in zip(trays, words, strict=True) if said == word]
            lines.append(_line(f"{group} {word}", members))
    return "\n".join(lines)


def pairs(judged: Iterable[Judged]) -> list[Pair]:
    """Confidence, and whether the layout was exact, of each photo in which a tray was read."""
    return [(row.confidence, row.exact) for row in judged if row.confidence is not None]


def bins(sure_and_right: Iterable[Pair], count: int = BINS) -> list[tuple[float, float, int]]:
    """Mean confidence, share of right ones, and size of equally filled bins, least sure first."""
    ordered = sorted(sure_and_right)
    size, filled = len(ordered), []
    for number in range(count):
        part = ordered[number * size // count : (number + 1) * size // count]
        if part:
            sure, right = sum(c for c, _ in part), sum(r for _, r in part)
            filled.append((sure / len(part), right / len(part), len(part)))
    return filled


def calibration_error(sure_and_right: Sequence[Pair]) -> float:
    """The expected calibration error: how far confidence and share of right ones lie apart."""
    apart = sum(abs(sure - right) * size for sure, right, size in bins(sure_and_right))
    return apart / max(1, len(sure_and_right))


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if count == 0:
        return 0.0, 1.0
    share, weight = hits / count, _Z * _Z / count
    middle = share + weight / 2
    half = _Z * sqrt(share * (1 - share) / count + weight / (4 * count))
    return (middle - half) / (1 + weight), (middle + half) / (1 + weight)


def _line(name: str, judged: Iterable[Judged]) -> str:
    return f"{name:24}{Tally.of(judged)}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:6.1%}" if whole else "     –"
