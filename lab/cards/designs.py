"""Random decks: a design (ground, border, palette, pen) and cards that differ in small things.

The cards of a deck are alike on purpose: one color, one sign, one count apart, or the same figure
turned on a ground that barely tells which way is up. That is what real task cards are like.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from lab.cards.figures import (
    FILLS,
    SHAPES,
    SIGNS,
    Color,
    Pen,
    Picture,
    Point,
    Token,
    blend,
    draw_lines,
    draw_sign,
    draw_text,
    draw_token,
)

WIDTH = 192
"""Pixels across a card's picture."""
ASPECTS = (1.0, 1.0, 1.0, 62 / 44, 62 / 44, 88 / 63, 1.56, 1.2, 1.75)
"""Height by width."""
ALIKE = 5.0
"""Two cards closer than this (mean difference of grey levels where they differ most) are one."""

_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX)


@dataclass(frozen=True, eq=False)
class DeckDesign:
    """How all cards of a deck look, and the pictures of its cards."""

    aspect: float
    rounding: float
    """Radius of the corners, as a share of the width."""
    pictures: tuple[Picture, ...]


def random_deck(rng: Generator, count: int) -> DeckDesign:
    """A deck of at most this many cards, all different, whichever way they are turned."""
    aspect = float(rng.choice(ASPECTS))
    painter = _Painter(rng, aspect)
    families = rng.permutation(len(_FAMILIES))[: int(rng.integers(1, 4))]
    drawn: list[Picture] = []
    for _ in range(3 * count):
        if len(drawn) == count:
            break
        family = _FAMILIES[int(rng.choice(families))]
        picture = painter.blank()
        family(painter, rng, picture)
        if not any(_alike(picture, other) for other in drawn):
            drawn.append(picture)
    return DeckDesign(aspect, float(rng.uniform(0.0, 0.09)), tuple(drawn))


def _alike(one: Picture, other: Picture) -> bool:
    small = [
        cv2.resize(p, (24, 24), interpolation=cv2.INTER_AREA).astype(float) for p in (one, other)
    ]
    for turn in (0, 2) if one.shape[0] != one.shape[1] else range(4):
        apart = np.abs(small[0] - np.rot90(small[1], turn)).max(axis=2)
        if np.sort(apart, axis=None)[-29:].mean() < ALIKE:
            return True
    return False


class _Painter:
    """Draws the cards of one design."""

    def __init__(self, rng: Generator, aspect: float) -> None:
        self.size = (round(WIDTH * aspect), WIDTH)
        self.middle: Point = (WIDTH / 2, self.size[0] / 2)
        self.palette = _palette(rng)
        dark = rng.random() < 0.15
        light = (rng.uniform(20, 70, 3) if dark else rng.uniform(150, 250, 3)).tolist()
        self.paper = _grey_or(rng, light)
        ink = rng.uniform(190, 255, 3) if dark else rng.uniform(0, 70, 3)
        self.ink: Color = _grey_or(rng, ink.tolist())
        self.accent: Color = tuple(int(c) for c in rng.choice(self.palette))  # type: ignore[assignment]
        outlined, shaded = bool(rng.random() < 0.6), bool(rng.random() < 0.35)
        self.pen = Pen(self.ink, float(rng.uniform(1.5, 5.0)), outlined, shaded)
        self.radius = float(rng.uniform(0.12, 0.19) * WIDTH)
        self.shape = str(rng.choice(SHAPES)) if rng.random() < 0.5 else "disc"
        self.font = int(rng.choice(_FONTS))
        self.crossed = bool(rng.random() < 0.5)
        self.ground = self._ground(rng)

    def blank(self) -> Picture:
        """A card with nothing on its ground yet."""
        return self.ground.copy()

    def _ground(self, rng: Generator) -> Picture:
        height, width = self.size
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = self.paper
        rows, columns = np.mgrid[:height, :width] / width
        tone: Color = tuple(int(np.clip(c + rng.choice([-1, 1]) * rng.uniform(8, 45), 0, 255))
                            for c in self.paper)  # type: ignore[assignment]  # fmt: skip
        kind = rng.integers(0, 7)
        high = height / width
        if kind == 0:  # a watermark that tells which way is up
            tip, foot = rng.uniform(0.1, 0.3) * high, rng.uniform(0.7, 0.95) * high
            wide = rng.uniform(0.2, 0.42) * (rows - tip) / (foot - tip)
            inside = (rows > tip) & (rows < foot) & (np.abs(columns - 0.5) < wide)
            blend(picture, tone, inside * rng.uniform(0.4, 1.0))
        elif kind == 1:  # a gradient
            blend(picture, tone, rows / high)
        elif kind == 2:  # a band at the head
            blend(picture, tone, (rows < rng.uniform(0.1, 0.3) * high).astype(float))
        elif kind == 3:  # a mark in one corner
            blend(
                picture, self.accent, (np.hypot(rows - 0.12, columns - 0.12) < 0.06).astype(float)
            )
        elif kind == 4:  # a soft pattern
            blend(picture, tone, 0.5 + 0.5 * np.sin(rows * rng.uniform(5, 40) + 9 * columns))
        elif kind == 5:  # rings in the middle
            reach = np.hypot(rows - rng.uniform(0.3, 0.6) * high, columns - 0.5)
            blend(picture, tone, (reach < rng.uniform(0.2, 0.45)).astype(float))
        for _ in range(int(rng.integers(0, 3))):  # frames
            inset = float(rng.uniform(0.0, 0.08) * WIDTH)
            corner = np.array([[inset, inset], [width - inset, height - inset]]).round().astype(int)
            color = self.ink if rng.random() < 0.5 else tone
            thick = int(rng.integers(1, 4 if inset > 4 else 14))
            cv2.rectangle(picture, corner[0].tolist(), corner[1].tolist(), color, thick)
        return picture

    def color(self, rng: Generator) -> Color:
        """One of the deck's colors."""
        found: Color = tuple(int(c) for c in rng.choice(self.palette))  # type: ignore[assignment]
        return found


def _palette(rng: Generator) -> np.ndarray:
    count = int(rng.integers(3, 7))
    hues = (np.arange(count) * 180 / count + rng.uniform(0, 180)) % 180 + rng.normal(0, 6, count)
    hsv = np.stack([hues % 180, rng.uniform(120, 255, count), rng.uniform(90, 255, count)], 1)
    bgr = cv2.cvtColor(hsv[None].astype(np.uint8), cv2.COLOR_HSV2BGR)[0]
    if rng.random() < 0.5:
        bgr[: int(rng.integers(1, 3))] = [[30, 30, 30], [240, 240, 240]][: len(bgr)][0]
        bgr[-1] = (240, 240, 240)
    return np.asarray(bgr)


def _grey_or(rng: Generator, color: Sequence[float]) -> Color:
    mean, share = float(np.mean(color)), rng.random() ** 2
    blue, green, red = (int(mean + share * (c - mean)) for c in color)
    return blue, green, red


def _counted(painter: _Painter, rng: Generator, picture: Picture) -> None:
    """One to four tokens of one kind, one above the other or side by side."""
    shape = str(rng.choice(SHAPES[1:6])) if rng.random() < 0.8 else painter.shape
    token = Token(shape, painter.color(rng), str(rng.choice(FILLS[: 3 + 3 * (rng.random() < 0.2)])))
    count = int(rng.integers(1, 5 if picture.shape[0] > picture.shape[1] else 4))
    x, y = painter.middle
    step = 0.9 * picture.shape[0] / 4
    radius = min(0.36 * WIDTH, step * (0.9 if shape in ("oval", "diamond", "wave") else 0.5))
    for place in range(count):
        off = (place - (count - 1) / 2) * step
        draw_token(picture, token, (x, y + off), radius, painter.pen)


def _related(painter: _Painter, rng: Generator, picture: Picture) -> None:
    """Two tokens and a sign between them, perhaps with a figure below."""
    x, y = painter.middle
    apart = painter.radius * float(rng.choice([1.0, 1.7]))
    for way in (-1, 1):
        token = Token(painter.shape, painter.color(rng), "solid")
        draw_token(picture, token, (x + way * apart, y), painter.radius, painter.pen)
    sign = str(rng.choice(SIGNS))
    draw_sign(
        picture, sign if apart > painter.radius else "none", (x, y), painter.radius, painter.pen
    )
    if rng.random() < 0.3:
        figure = str(rng.integers(1, 10))
        below = (x, y + 1.9 * painter.radius)
        draw_text(picture, figure, below, 1.2 * painter.radius, painter.ink, painter.font)


def _stacked(painter: _Painter, rng: Generator, picture: Picture) -> None:
    """A token above or below a hatched one, often struck out."""
    x, y = painter.middle
    r = painter.radius
    token = Token(painter.shape, painter.color(rng), "solid")
    any_token = Token(painter.shape, (130, 130, 130), "hatched")
    pair = (token, any_token) if rng.random() < 0.5 else (any_token, token)
    for one, way in zip(pair, (-1, 1), strict=True):
        draw_token(picture, one, (x, y + way * r * 0.95), r, painter.pen)
    if painter.crossed:
        lines: list[list[Point]] = [[(x - 1.4 * r, y - 1.5 * r), (x + 1.4 * r, y + 1.5 * r)]]
        if rng.random() < 0.5:
            lines.append([(x + 1.4 * r, y - 1.5 * r), (x - 1.4 * r, y + 1.5 * r)])
        draw_lines(picture, lines, (30, 30, 190), max(2.0, 0.15 * r))


def _boxed(painter: _Painter, rng: Generator, picture: Picture) -> None:
    """A frame with one to three tokens, and a sign below it."""
    x, y = painter.middle
    r = painter.radius * 0.85
    count = int(rng.integers(1, 4))
    box = np.array([[x - 3.2 * r, y - 1.6 * r], [x + 3.2 * r, y + 1.6 * r]]).astype(int)
    cv2.rectangle(picture, box[0].tolist(), box[1].tolist(), painter.ink, 3, cv2.LINE_AA)
    token = Token(painter.shape, painter.color(rng), "solid")
    for place in range(count):
        draw_token(picture, token, (x + (place - (count - 1) / 2) * 2.1 * r, y), r, painter.pen)
    sign = str(rng.choice(["equal", "more", "none"]))
    draw_sign(picture, sign, (x, y + 2.4 * r), 1.2 * r, painter.pen)


def _grid(painter: _Painter, rng: Generator, picture: Picture) -> None:
    """A pattern of colored squares, some missing."""
    rows, columns = (int(n) for n in rng.integers(1, 4, 2))
    x, y = painter.middle
    side = 0.62 * WIDTH / max(rows, columns, 2)
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.2:
                continue
            at = (x + (column - (columns - 1) / 2) * side, y + (row - (rows - 1) / 2) * side)
            draw_token(
                picture, Token("square", painter.color(rng), "solid"), at, side / 1.8, painter.pen
            )


def _written(painter: _Painter, rng: Generator, picture: Picture) -> None:
    """Words and figures, with a few small tokens."""
    x, y = painter.middle
    words = ["".join(rng.choice(list("AEIOURSTLNMDGKPB"), int(rng.integers(2, 7))))] * 1
    words += [f"{rng.choice(['+', '-', 'x', '=', '>'])}{rng.integers(1, 31)}"]
    tall = picture.shape[0]
    draw_text(picture, words[0], (x, 0.2 * tall), 0.11 * WIDTH, painter.ink, painter.font)
    draw_text(picture, words[1], (x, 0.82 * tall), 0.17 * WIDTH, painter.color(rng), painter.font)
    count = int(rng.integers(1, 5))
    for place in range(count):
        at = (x + (place - (count - 1) / 2) * 0.2 * WIDTH, y)
        token = Token(str(rng.choice(SHAPES)), painter.color(rng), str(rng.choice(FILLS[:3])))
        draw_token(picture, token, at, 0.085 * WIDTH, painter.pen)


def _art(painter: _Painter, rng: Generator, picture: Picture) -> None:
    """A scene of many tokens of any size."""
    for _ in range(int(rng.integers(3, 12))):
        at = (float(rng.uniform(0.1, 0.9)) * WIDTH, float(rng.uniform(0.1, 0.9)) * picture.shape[0])
        token = Token(str(rng.choice(SHAPES)), painter.color(rng), str(rng.choice(FILLS)))
        draw_token(picture, token, at, float(rng.uniform(0.06, 0.25)) * WIDTH, painter.pen)


_FAMILIES: tuple[Callable[[_Painter, Generator, Picture], None], ...] = (
    _counted, _related, _stacked, _boxed, _grid, _written, _art,
)  # fmt: skip
