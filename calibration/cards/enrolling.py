"""A deck learned from photos: cards laid out in a grid, read row by row as the photo is seen."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.cards.choosing import find_cards
from calibration.cards.cutting import Corners, cut, turned
from calibration.cards.profile import WIDTH, EnrolledCard
from calibration.fiducials import Picture

NEXT = (0.6, 2.2)
"""How far to the right, in cards, the next card of a row may lie."""
BESIDE = 0.5
"""How far up or down, in cards, it may lie."""


class EnrolmentError(Exception):
    """Why cards cannot be enrolled by a photo, in words for the person who took it."""


def enrol(picture: Picture, codes: Sequence[str]) -> list[EnrolledCard]:
    """The cards in a photo of a grid; raises ``EnrolmentError`` unless each has a code."""
    found = [upright(card.corners) for card in find_cards(picture, len(codes)).cards]
    if len(found) != len(codes):
        raise EnrolmentError(
            f"{len(found)} cards were found, but there are {len(codes)} codes. Lay the cards out "
            "in a grid with gaps between them, on a plain ground, all of them in the picture."
        )
    ordered = in_reading_order(found)
    high = round(WIDTH * _aspect(found))
    return [
        EnrolledCard.of(code, cut(picture, corners, (WIDTH, high)))
        for code, corners in zip(codes, ordered, strict=True)
    ]


def enrol_cut(picture: Picture, code: str) -> EnrolledCard:
    """The card that fills a picture."""
    height, width = picture.shape[:2]
    high = round(WIDTH * float(np.clip(height / width, 0.4, 2.5)))
    return EnrolledCard.of(code, cut(picture, whole(picture), (WIDTH, high)))


def whole(picture: Picture) -> Corners:
    """The corners of a picture that a card fills."""
    height, width = picture.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5


def upright(corners: Corners) -> Corners:
    """The corners from the top left as the picture is seen."""
    ways = np.roll(corners, -1, axis=0) - corners
    level = ways[:, 0] - np.roll(ways[:, 0], -2) + 0.0
    return turned(corners, int(np.argmax(level)))


def in_reading_order(found: Sequence[Corners]) -> list[Corners]:
    """Cards of a grid row by row, each row from the left, as the picture is seen."""
    following = {one: _next(one, found) for one in range(len(found))}
    ahead = {other for other in following.values() if other is not None}
    rows: list[list[Corners]] = []
    for first in (one for one in range(len(found)) if one not in ahead):
        row: list[Corners] = []
        now: int | None = first
        while now is not None and len(row) <= len(found):  # pragma: no branch
            row.append(found[now])
            now = following[now]
        rows.append(row)
    down = np.mean([corners[3] - corners[0] for corners in found], axis=0)
    return [corners for row in sorted(rows, key=lambda row: _along(row, down)) for corners in row]


def _along(row: Sequence[Corners], down: NDArray[np.float64]) -> float:
    return float(np.mean([corners.mean(axis=0) @ down for corners in row]))


def _next(one: int, found: Sequence[Corners]) -> int | None:
    """The card to the right of this one in its row."""
    corners = found[one]
    right = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    down = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
    axes = np.linalg.inv(np.stack([right, down], axis=1))
    best: tuple[float, int] | None = None
    for other, there in enumerate(found):
        across, along = axes @ (there.mean(axis=0) - corners.mean(axis=0))
        if other != one and NEXT[0] < across < NEXT[1] and abs(along) < BESIDE:
            best = min(best or (across, other), (across, other))
    return None if best is None else best[1]


def _aspect(found: Sequence[Corners]) -> float:
    """Height by width as it is seen, which a tilt makes less than it is."""
    wide = np.mean([np.linalg.norm(c[1] - c[0]) + np.linalg.norm(c[2] - c[3]) for c in found])
    high = np.mean([np.linalg.norm(c[3] - c[0]) + np.linalg.norm(c[2] - c[1]) for c in found])
    return float(np.clip(high / wide, 0.4, 2.5))
