"""Which outlines are cards: those of one size on one table, with something printed on them.

On a plane, the cube root of a card's area in the picture is linear in its place. So three outlines
tell how large a card is anywhere, and cards agree with each other where chance outlines do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards.cutting import Corners, cut
from calibration.cards.outlines import Quad, quads
from calibration.cards.sides import drawn_on_edges
from calibration.fiducials import Picture

LEAST_SEEN = 0.6
"""Share of the sides that edges must be seen on."""
LEAST_WEAKEST = 0.3
"""The same for the side that is seen worst."""
LEAST_PRINTED = 4.0
"""Spread of colors (Lab) on a card: what is plainer is a tile or a sheet of paper."""
MOST_OVERLAP = 0.2
"""Share of a card that may lie in another's outline."""
MOST_APART = 0.07
"""By how much (logarithm of the length) a card may differ from what its place says."""
PAIR = (1.6, 2.5)
"""Area, in cards, of an outline that may be two cards that touch."""
MOST_TRIED = 60
"""Outlines that are compared with each other, the best seen first."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FoundCard:
    """A card's outline in the picture."""

    corners: Corners
    seen: float
    """Share of the sides on which edges were seen."""
    printed: float
    """How much the colors on it differ."""

    @property
    def centre(self) -> Floats:
        """Where it lies."""
        return np.asarray(self.corners.mean(axis=0))

    @property
    def area(self) -> float:
        """In square pixels."""
        return float(cv2.contourArea(self.corners.astype(np.float32)))


def find_cards(picture: Picture, count: int | None = None) -> list[FoundCard]:
    """The cards in a picture: the largest group of outlines that are of one size on the table.

    ``count``: how many there are, where that is known.
    """
    lab = _lab(picture)
    outlines = _merged(quads(picture))
    found = largest_group(candidates(lab, outlines), count)
    if count is not None and len(found) >= count:
        return found
    return found + touching(lab, outlines, found)


def candidates(lab: Picture, outlines: Sequence[Quad]) -> list[FoundCard]:
    """All outlines that may be cards, each once, the best seen first."""
    found: list[FoundCard] = []
    for quad in outlines:
        outline = drawn_on_edges(lab, quad.corners)
        if outline is None or outline.seen < LEAST_SEEN or outline.weakest < LEAST_WEAKEST:
            continue
        printed = _printed(lab, outline.corners)
        if printed >= LEAST_PRINTED:
            found.append(FoundCard(outline.corners, outline.seen, printed))
    return _each_once(found)


def touching(
    lab: Picture, outlines: Sequence[Quad], found: Sequence[FoundCard]
) -> list[FoundCard]:
    """Cards that touch each other and came out as one outline: halves that have a card's size."""
    if len(found) < 3:
        return []
    plane = _plane(
        np.array([[1.0, *card.centre] for card in found]),
        np.array([np.cbrt(card.area) for card in found]),
    )
    added: list[FoundCard] = []
    for quad in sorted(outlines, key=lambda quad: -quad.fit):
        expected = max(1.0, float(plane @ [1.0, *quad.centre])) ** 3
        if not PAIR[0] < quad.area / expected < PAIR[1]:
            continue
        if any(overlap(quad.corners, card.corners) > MOST_OVERLAP for card in [*found, *added]):
            continue
        added += _halves(lab, quad.corners, plane)
    return added


def _halves(lab: Picture, corners: Corners, plane: Floats) -> list[FoundCard]:
    """The two cards that an outline of twice a card's size consists of; none if it does not."""
    a, b, c, d = corners
    if np.linalg.norm(b - a) + np.linalg.norm(c - d) < np.linalg.norm(c - b) + np.linalg.norm(d - a):
        a, b, c, d = b, c, d, a
    top, bottom = (a + b) / 2, (c + d) / 2
    halves: list[FoundCard] = []
    for half in (np.array([a, top, bottom, d]), np.array([top, b, c, bottom])):
        outline = drawn_on_edges(lab, half)
        moved = half if outline is None else outline.corners
        seen = 0.0 if outline is None else outline.seen
        card = FoundCard(moved, seen, _printed(lab, moved))
        expected = max(1.0, float(plane @ [1.0, *card.centre])) ** 3
        if abs(np.log(card.area / expected)) > 3 * MOST_APART or card.printed < LEAST_PRINTED:
            return []
        halves.append(card)
    return halves


def _lab(picture: Picture) -> Picture:
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.8)
    return np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB), np.uint8)


def largest_group(found: Sequence[FoundCard], count: int | None = None) -> list[FoundCard]:
    """The outlines that most agree on how large a card is where; of those that overlap, one."""
    tried = list(found)[:MOST_TRIED]
    if len(tried) < 3:
        return _apart(tried)
    places = np.array([[1.0, *card.centre] for card in tried])
    roots = np.array([np.cbrt(card.area) for card in tried])
    best: tuple[float, list[FoundCard]] = (0.0, [])
    planes = [plane for trio in _trios(len(tried)) if (plane := _plane(places[trio], roots[trio])) is not None]
    for plane in planes:
        best = max(best, _agreeing(places, roots, plane, tried, count), key=lambda pair: pair[0])
    for _ in range(3):
        inside = [tried.index(card) for card in best[1]]
        plane = _plane(places[inside], roots[inside]) if len(inside) > 3 else None
        if plane is not None:
            best = max(best, _agreeing(places, roots, plane, tried, count), key=lambda pair: pair[0])
    return best[1]


def _plane(places: Floats, roots: Floats) -> Floats | None:
    """How the cube root of a card's area depends on its place; None if these do not tell."""
    around = places[:, 1:] - places[:, 1:].mean(axis=0)
    spread = np.linalg.svd(around, compute_uv=False)
    if spread[1] < 0.02 * spread[0]:  # in a row: the size changes along it only
        way = np.linalg.svd(around)[2][0]
        along = places[:, 1:] @ way
        slope, start = np.polyfit(along, roots, 1)
        return np.array([start, *(slope * way)])
    return np.asarray(np.linalg.lstsq(places, roots, rcond=None)[0])


def _trios(count: int) -> list[list[int]]:
    """Trios of outlines to learn a size from: all of a few, some of many."""
    if count <= 12:
        return [list(trio) for trio in combinations(range(count), 3)]
    rng = np.random.default_rng(0)
    return [rng.choice(count, 3, replace=False).tolist() for _ in range(400)]


def _agreeing(
    places: Floats, roots: Floats, plane: Floats, cards: Sequence[FoundCard], count: int | None
) -> tuple[float, list[FoundCard]]:
    """How good a size is, and which outlines have it: many, well seen, and large ones first."""
    expected = places @ plane
    if (expected <= 0).any() or expected.max() > 3 * expected.min():
        return 0.0, []
    inside = np.abs(np.log(roots / expected)) * 1.5 < MOST_APART
    agreeing = _apart([card for card, agrees in zip(cards, inside, strict=True) if agrees])
    if not agreeing:
        return 0.0, []
    size = float(np.mean([np.cbrt(card.area) for card in agreeing]))
    wrong = 0 if count is None else abs(len(agreeing) - count)
    return sum(card.seen for card in agreeing) * size**1.5 * 0.9**wrong, agreeing


def _merged(found: Sequence[Quad]) -> list[Quad]:
    """Outlines that came out of several cuts, once each, the best filled ones."""
    kept: list[Quad] = []
    centres = np.empty((0, 2))
    roots = np.empty(0)
    for quad in sorted(found, key=lambda quad: -quad.fit):
        root = np.sqrt(quad.area)
        near = np.abs(centres - quad.centre).max(axis=1) < 0.04 * root + 1
        if not (near & (np.abs(np.log(roots / root)) < 0.05)).any():
            kept.append(quad)
            centres, roots = np.vstack([centres, quad.centre]), np.append(roots, root)
    return kept


def _printed(lab: Picture, corners: Corners) -> float:
    """How much the colors inside an outline differ from the ground they are printed on."""
    inner = cut(lab, corners, (24, 24))[3:-3, 3:-3].reshape(-1, 3).astype(np.float64)
    off = np.linalg.norm(inner - np.median(inner, axis=0), axis=1)
    return float(np.sqrt((off**2).mean()))


def _apart(found: Sequence[FoundCard]) -> list[FoundCard]:
    """Of outlines that overlap, the first."""
    kept: list[FoundCard] = []
    for card in found:
        reach = 1.5 * np.sqrt(card.area)
        near = [other for other in kept if np.abs(other.centre - card.centre).max() < reach]
        if all(overlap(card.corners, other.corners) < MOST_OVERLAP for other in near):
            kept.append(card)
    return kept


def _each_once(found: Sequence[FoundCard]) -> list[FoundCard]:
    """Of outlines that are the same, the one that is seen best; the best seen first."""
    ranked = sorted(found, key=lambda card: -(round(card.seen, 1) * 1e9 + card.area))
    kept: list[FoundCard] = []
    for card in ranked:
        if not any(_same(card, other) for other in kept):
            kept.append(card)
    return kept


def _same(one: FoundCard, other: FoundCard) -> bool:
    root = np.sqrt(one.area)
    if np.abs(one.centre - other.centre).max() > 0.1 * root:
        return False
    return bool(abs(np.log(one.area / other.area)) < 0.12)


def overlap(one: Corners, other: Corners) -> float:
    """Share of the smaller of two outlines that lies in the other."""
    first, second = one.astype(np.float32), other.astype(np.float32)
    both, _ = cv2.intersectConvexConvex(first, second)
    return float(both) / max(1e-6, min(cv2.contourArea(first), cv2.contourArea(second)))
