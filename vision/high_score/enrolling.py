"""Enrolment: photos of six dice in a row become a profile, or a reason why not."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from calibration.high_score.profile import DiceProfile, Picture
from rules.high_score.dice import FACES
from vision.high_score.faces import KINDS, cut_out, look_at
from vision.high_score.finding import Found, find_dice
from vision.high_score.values import Enrolled

ALIKE = 0.93
"""Faces closer than this (cosine) cannot be told apart reliably."""
LEAST_STRENGTH = 0.3
_MOST_CANDIDATES = 10
_OFF_THE_ROW = 0.9
"""Sides of a die that a die's middle may lie beside the row."""


class DiceEnrolmentError(Exception):
    """Why dice were not enrolled; ``text`` says what to do."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def enrol(pictures: Sequence[Picture], name: str, order: str = FACES) -> DiceProfile:
    """The profile of the dice in these photos, each of six in a row from left to right.

    ``order`` says which values they show. Raises ``DiceEnrolmentError``.
    """
    if sorted(order) != sorted(FACES):
        raise DiceEnrolmentError(
            f"--faces must name each of {', '.join(FACES)} once, not {order!r}."
        )
    shown: dict[str, list[Picture]] = {value: [] for value in FACES}
    for number, picture in enumerate(pictures, 1):
        which = f"Photo {number}: " if len(pictures) > 1 else ""
        for value, die in zip(order, _row(picture, which), strict=True):
            shown[value].append(cut_out(picture, die))
    profile = DiceProfile(name, {value: tuple(cuts) for value, cuts in shown.items()})
    one, other, nearness = Enrolled(profile).alike()
    if nearness > ALIKE:
        raise DiceEnrolmentError(
            f"The faces {one} and {other} look alike in the photo. Show each of the six faces "
            "once, larger and in better light."
        )
    return profile


def _row(picture: Picture, which: str) -> list[Found]:
    """The six dice in a row, from left to right."""
    found = [die for die in find_dice(picture) if die.strength >= LEAST_STRENGTH]
    if found:
        none = np.exp(look_at([cut_out(picture, die) for die in found]).kinds[:, -1])
        assert KINDS[-1] == "none"
        found = [die for die, share in zip(found, none, strict=True) if share < 0.5]
    if len(found) < len(FACES):
        raise DiceEnrolmentError(
            f"{which}I see {len(found)} dice instead of six. Lay six dice in a row, all faces "
            "once, and take the photo from above and near."
        )
    rows = [list(six) for six in combinations(found[:_MOST_CANDIDATES], len(FACES))]
    best = min(rows, key=_unevenness)
    if _unevenness(best) > _OFF_THE_ROW:
        raise DiceEnrolmentError(f"{which}I see no six dice in a row. Take everything else away.")
    way = _way(best)
    if abs(way[0]) < 0.5:
        raise DiceEnrolmentError(f"{which}The row must run from left to right in the photo.")
    return sorted(best, key=lambda die: float(die.uv @ way))


def _way(dice: Sequence[Found]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The direction of the row, to the right."""
    places = np.array([die.uv for die in dice])
    way = np.linalg.svd(places - places.mean(axis=0))[2][0]
    return np.asarray(way if way[0] >= 0 else -way)


def _unevenness(dice: Sequence[Found]) -> float:
    """How far off a row these dice lie, in sides of a die; sizes that differ count as well."""
    places, sides = np.array([die.uv for die in dice]), np.array([die.side for die in dice])
    off = places - places.mean(axis=0)
    way = _way(dice)
    beside = np.abs(off @ np.array([-way[1], way[0]])).max() / sides.mean()
    gaps = np.diff(np.sort(off @ way)) / sides.mean()
    together = max(0.0, float(gaps.max()) / max(float(np.median(gaps)), 0.5) - 2.0)
    return float(beside + 0.5 * (sides.max() / sides.min() - 1.0) + together)
