"""Which outlines are cards: those of one size on one table, with something printed on them.

On a plane, the third root of a card's area in the picture is linear in its place. So three outlines
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
MOST_SKEW = 0.1
"""How far an outline may be from a rectangle on the table, in its own size."""
FRAME = (1.04, 1.6)
"""Area of a card by that of a frame printed near its border."""
MOST_OTHERS = 12
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


@dataclass(frozen=True, eq=False)
class CardSearch:
    """What a search for cards found."""

    cards: list[FoundCard]
    """The largest group of outlines that are of one size on the table."""
    others: list[FoundCard]
    """Outlines beside them, of about a card's size, that may be cards as well."""


def find_cards(picture: Picture, count: int | None = None) -> CardSearch:
    """The cards in a picture; ``count``: how many there are, where that is known."""
    lab = _lab(picture)
    outlines = _merged(quads(picture))
    seen = candidates(lab, outlines)
    found = largest_group(seen, count)
    if count is None or len(found) < count:
        found = found + touching(lab, outlines, found)
    return CardSearch(found, _beside(found, seen))


def _beside(found: Sequence[FoundCard], seen: Sequence[FoundCard]) -> list[FoundCard]:
    """Outlines of about the size of those found that overlap none of them, nor each other."""
    usual = float(np.median([card.area for card in found])) if found else 0.0
    added: list[FoundCard] = []
    for card in seen:
        if 0.4 < card.area / max(usual, 1.0) < 2.5 and len(added) < MOST_OTHERS:
            others = [*found, *added]
            if all(overlap(card.corners, other.corners) < MOST_OVERLAP for other in others):
                added.append(card)
    return added


def candidates(lab: Picture, outlines: Sequence[Quad]) -> list[FoundCard]:
    """All outlines that may be cards, each once, the best seen first."""
    found: list[FoundCard] = []
    for quad in outlines:
        if _printed(lab, quad.corners) < LEAST_PRINTED:
            continue
        outline = drawn_on_edges(lab, quad.corners)
        if outline is None or outline.seen < LEAST_SEEN or outline.weakest < LEAST_WEAKEST:
            continue
        printed = _printed(lab, outline.corners)
        if printed >= LEAST_PRINTED:
            found.append(FoundCard(outline.corners, outline.seen, printed))
    return _each_once(found)


def touching(lab: Picture, outlines: Sequence[Quad], found: Sequence[FoundCard]) -> list[FoundCard]:
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
        for half in _halves(lab, quad.corners, plane):
            others = [*found, *added]
            if all(overlap(half.corners, card.corners) < MOST_OVERLAP for card in others):
                added.append(half)
    return added


def _halves(lab: Picture, corners: Corners, plane: Floats) -> list[FoundCard]:
    """The two cards that an outline of twice a card's size consists of; none if it does not."""
    a, b, c, d = corners
    if np.linalg.norm(b - a) + np.linalg.norm(c - d) < np.linalg.norm(c - b) + np.linalg.norm(
        d - a
    ):
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
        return tried if len(tried) < 2 or not _overlapping(tried)[0, 1] else tried[:1]
    group = _Group(tried, count)
    best: tuple[float, list[int]] = (0.0, [])
    for trio in _trios(len(tried)):
        best = max(best, group.agreeing(trio), key=lambda pair: pair[0])
    for _ in range(2):
        if len(best[1]) > 3:
            best = max(best, group.agreeing(best[1]), key=lambda pair: pair[0])
    return _outermost([tried[index] for index in best[1]], tried)


class _Group:
    """Outlines, and how well they agree on the size of a card."""

    def __init__(self, cards: Sequence[FoundCard], count: int | None) -> None:
        self._count = count
        self._corners = np.array([card.corners for card in cards])
        self._places = np.array([[1.0, *card.centre] for card in cards])
        self._roots = np.array([np.cbrt(card.area) for card in cards])
        self._seen = np.array([card.seen for card in cards])
        self._overlapping = _overlapping(cards)

    def agreeing(self, chosen: Sequence[int]) -> tuple[float, list[int]]:
        """How good the size is that these have, and which outlines have it.

        Many, well seen and large ones are good.
        """
        plane = _plane(self._places[chosen], self._roots[chosen])
        expected = self._places @ plane
        if (expected <= 0).any() or expected.max() > 3 * expected.min():
            return 0.0, []
        apart = np.abs(np.log(self._roots / expected)) * 1.5
        inside = (apart < MOST_APART) & (_skew(self._corners, plane) < MOST_SKEW)
        # Of two that fit, the larger: the smaller may be a frame that is printed on the card.
        larger = (self._roots / np.maximum(expected, 1e-6)) ** 3
        worth = self._seen * (1 - (apart / MOST_APART) ** 2 / 2) * larger
        ranked = sorted(np.flatnonzero(inside), key=lambda index: -worth[index])
        kept: list[int] = []
        for index in ranked:
            if not self._overlapping[index, kept].any():
                kept.append(int(index))
        if len(kept) < 2:
            return 0.0, kept
        wrong = 0 if self._count is None else abs(len(kept) - self._count)
        size = float(np.mean(self._roots[kept]))
        return float(worth[kept].sum()) * size**1.5 * 0.9**wrong, kept


def _outermost(group: Sequence[FoundCard], found: Sequence[FoundCard]) -> list[FoundCard]:
    """The same cards by their borders, where the outlines were of frames printed inside them.

    Most cards of the group must have a border, all equally far out; the others get theirs so.
    """
    for _ in range(2):
        around = [_around(card, found) for card in group]
        ratios = [out.area / card.area for card, out in zip(group, around, strict=True) if out]
        usual = float(np.median(ratios)) if ratios else 1.0
        agreeing = sum(abs(np.log(ratio / usual)) < MOST_APART for ratio in ratios)
        if agreeing < max(2, 0.5 * len(group)):
            return list(group)
        moved = []
        for card, out in zip(group, around, strict=True):
            if out is not None and abs(np.log(out.area / card.area / usual)) < 2 * MOST_APART:
                moved.append(out)
            else:
                corners = card.centre + (card.corners - card.centre) * np.sqrt(usual)
                moved.append(FoundCard(corners, card.seen, card.printed))
        if np.triu(_overlapping(moved), 1).any():
            return list(group)
        group = moved
    return list(group)


def _around(card: FoundCard, found: Sequence[FoundCard]) -> FoundCard | None:
    """The outline close around another, if there is one."""
    near = [
        other
        for other in found
        if FRAME[0] < other.area / card.area < FRAME[1]
        and np.abs(other.centre - card.centre).max() < 0.06 * np.sqrt(card.area)
        and _grown(card, other)
    ]
    return max(near, key=lambda other: other.seen, default=None)


def _grown(card: FoundCard, other: FoundCard) -> bool:
    """Whether an outline is another one made larger around its centre."""
    off, there = card.corners - card.centre, other.corners - other.centre
    larger = np.sqrt(other.area / card.area)
    stray = min(np.abs(np.roll(there, turn, axis=0) - larger * off).max() for turn in range(4))
    return bool(stray < 0.035 * np.sqrt(card.area) + 1.0)


def _skew(corners: NDArray[np.float64], plane: Floats) -> Floats:
    """How far outlines (N, 4, 2) are from being rectangles on the table, in their own size.

    Divided by how near they are, the corners of a rectangle make a parallelogram.
    """
    middle = corners.mean(axis=1, keepdims=True)
    near = plane[0] + corners @ plane[1:]
    near = near / near.mean(axis=1, keepdims=True)
    off = (corners - middle) / near.clip(0.2)[..., None]
    crossed = off[:, 0] + off[:, 2] - off[:, 1] - off[:, 3]
    size = np.sqrt(np.abs(_cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])) / 2)
    return np.asarray(np.linalg.norm(crossed, axis=1) / size.clip(1e-6))


def _cross(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])


def _plane(places: Floats, roots: Floats) -> Floats:
    """How the third root of a card's area depends on its place (1, x, y)."""
    around = places[:, 1:] - places[:, 1:].mean(axis=0)
    _, spread, ways = np.linalg.svd(around, full_matrices=False)
    if spread[1] < 0.02 * spread[0]:  # in a row: the size changes along it only
        along = places[:, 1:] @ ways[0]
        slope, start = np.polyfit(along, roots, 1)
        return np.array([start, *(slope * ways[0])])
    return np.asarray(np.linalg.lstsq(places, roots, rcond=None)[0])


def _trios(count: int) -> list[list[int]]:
    """Trios of outlines to learn a size from: all of a few, some of many."""
    if count <= 12:
        return [list(trio) for trio in combinations(range(count), 3)]
    rng = np.random.default_rng(0)
    return [rng.choice(count, 3, replace=False).tolist() for _ in range(400)]


def _overlapping(cards: Sequence[FoundCard]) -> NDArray[np.bool_]:
    """Which outlines (N, N) overlap."""
    table = np.zeros((len(cards), len(cards)), bool)
    for one, other in combinations(range(len(cards)), 2):
        reach = 1.5 * np.sqrt(max(cards[one].area, cards[other].area))
        if np.abs(cards[one].centre - cards[other].centre).max() < reach:
            share = overlap(cards[one].corners, cards[other].corners)
            table[one, other] = table[other, one] = share > MOST_OVERLAP
    return table


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
