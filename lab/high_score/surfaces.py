"""Tables from above: a surface with what lies flat on it, all of which is no die."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.high_score.faces import Rng, _glyph, _pips, vortex
from lab.high_score.materials import plain_color
from lab.rendering.textures import PATTERNS, draw_tile

Picture = NDArray[np.uint8]

REACH = 14
"""Sides of a die from the middle to the edge of the table that is drawn."""
SCALE = 44
"""Pixels a side of a die."""
_SIDE = 2 * REACH * SCALE

_tiles: list[Picture] = []


def draw_table(rng: Rng) -> Picture:
    """A table from above, with or without things on it."""
    table = _surface(rng)
    if rng.random() < 0.2:
        _board(rng, table)
    kinds = (_token, _token, _disc, _coin, _card, _pencil, _printed)
    if rng.random() < 0.55:
        for _ in range(int(rng.integers(1, 9))):
            draw: Callable[[Rng, Picture, tuple[int, int]], None] = kinds[rng.integers(len(kinds))]
            draw(rng, table, _somewhere(rng))
    return table


def to_table(places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Pixels of the table for places in sides of a die."""
    return np.asarray((places * (1, -1) + REACH) * SCALE, np.float32)


def _surface(rng: Rng) -> Picture:
    if len(_tiles) < 48 or rng.random() < 0.05:
        drawn, _ = draw_tile(rng, str(rng.choice([*PATTERNS])))
        _tiles.append((255 * np.clip(drawn, 0, 1) ** (1 / 2.2)).astype(np.uint8)[..., ::-1].copy())
    if rng.random() < 0.15:  # white paper or a box
        level = rng.uniform(150, 250, 3) if rng.random() < 0.3 else rng.uniform(90, 250)
        return np.full((_SIDE, _SIDE, 3), level, np.uint8)
    tile = _tiles[rng.integers(len(_tiles))]
    angle, scale = rng.uniform(0, 360), rng.uniform(0.5, 2.5)
    warp = cv2.getRotationMatrix2D((256, 256), angle, scale)
    table = cv2.warpAffine(tile, warp, (_SIDE, _SIDE), borderMode=cv2.BORDER_WRAP)
    if rng.random() < 0.15:  # a second surface: the edge of a cloth or of the table
        other = _tiles[rng.integers(len(_tiles))]
        second = cv2.warpAffine(other, warp, (_SIDE, _SIDE), borderMode=cv2.BORDER_WRAP)
        side = np.zeros((_SIDE, _SIDE), np.uint8)
        middle = np.array([_SIDE / 2, _SIDE / 2]) + rng.normal(0, 5 * SCALE, 2)
        way = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-way[1], way[0]])
        corners = [middle - 9e3 * across, middle + 9e3 * across]
        corners += [corners[1] + 9e3 * way, corners[0] + 9e3 * way]
        cv2.fillPoly(side, [np.array(corners).astype(np.int32)], 1)
        table[side > 0] = second[side > 0]
    return np.asarray(table, np.uint8)


def _somewhere(rng: Rng) -> tuple[int, int]:
    x, y = rng.normal(_SIDE / 2, 5.5 * SCALE, 2)
    return int(x), int(y)


def _srgb(rng: Rng) -> tuple[float, ...]:
    return tuple(float(c) for c in 255 * plain_color(rng) ** (1 / 2.2))


def _contrast(color: tuple[float, ...], rng: Rng) -> tuple[float, ...]:
    if rng.random() < 0.6:
        dark = sum(color) > 380
        return tuple(float(rng.uniform(5, 60) if dark else rng.uniform(190, 250)) for _ in range(3))
    return _srgb(rng)


def _stamp(table: Picture, mask: NDArray[np.float32], at: tuple[int, int], size: float,
           angle: float, color: tuple[float, ...]) -> None:  # fmt: skip
    """Print a mask (faces.SIZE) on the table, this large, turned, in this colour."""
    side = int(size * 1.5) + 2
    x, y = at[0] - side // 2, at[1] - side // 2
    if side < 4 or x < 0 or y < 0 or x + side > _SIDE or y + side > _SIDE:
        return
    warp = cv2.getRotationMatrix2D((mask.shape[1] / 2, mask.shape[0] / 2), angle, size / len(mask))
    warp = warp + np.array([0, 0, side / 2 - len(mask) / 2])
    ink = cv2.warpAffine(mask, warp, (side, side))[..., None]
    patch = table[y : y + side, x : x + side]
    patch[:] = (patch * (1 - ink) + np.array(color) * ink).astype(np.uint8)


def _token(rng: Rng, table: Picture, at: tuple[int, int]) -> None:
    radius, color = int(SCALE * rng.uniform(0.45, 1.1)), _srgb(rng)
    ink = _contrast(color, rng)
    shift = (at[0] + int(rng.integers(-4, 5)), at[1] + int(rng.integers(-4, 5)))
    cv2.circle(table, shift, radius + 1, tuple(0.5 * c for c in color), -1, 16)
    cv2.circle(table, at, radius, color, -1, 16)
    if rng.random() < 0.7:
        cv2.circle(table, at, int(radius * 0.85), ink, int(rng.integers(1, 4)), 16)
    text = str(rng.choice([*"123456789*", "30+", "10"]))
    mask = vortex(rng) if rng.random() < 0.2 else _text(rng, text)
    _stamp(table, mask, at, 1.3 * radius, rng.uniform(0, 360), ink)


def _disc(rng: Rng, table: Picture, at: tuple[int, int]) -> None:
    """A plain round thing, such as a magnet, a button or a bead, sometimes of several dots."""
    radius, color = int(SCALE * rng.uniform(0.15, 1.0)), _srgb(rng)
    cv2.circle(table, at, radius, color, -1, 16)
    if rng.random() < 0.4:
        cv2.circle(table, at, radius, tuple(0.6 * c for c in color), int(rng.integers(1, 4)), 16)
    for _ in range(int(rng.integers(1, 7)) if rng.random() < 0.3 else 0):
        dot = (at[0] + int(rng.normal(0, SCALE)), at[1] + int(rng.normal(0, SCALE)))
        cv2.circle(table, dot, max(2, radius // 3), color, -1, 16)


def _coin(rng: Rng, table: Picture, at: tuple[int, int]) -> None:
    radius, value = int(SCALE * rng.uniform(0.5, 1.0)), rng.uniform(0.5, 1)
    metal = [(70, 180, 225), (80, 130, 195), (190, 195, 200)][rng.integers(3)]
    color = tuple(float(c * value) for c in metal)
    dark, light = tuple(0.55 * c for c in color), tuple(min(255, 1.3 * c) for c in color)
    cv2.circle(table, at, radius, dark, -1, 16)
    cv2.circle(table, at, int(radius * 0.93), color, -1, 16)
    for angle in np.linspace(0, 2 * np.pi, 14):
        dot = (int(at[0] + 0.8 * radius * np.cos(angle)), int(at[1] + 0.8 * radius * np.sin(angle)))
        cv2.circle(table, dot, max(1, radius // 14), dark, -1, 16)
    turn = rng.uniform(0, 360)
    text = _text(rng, str(rng.choice(["1", "2", "5", "10", "20", "50"])))
    _stamp(table, text, (at[0] + 1, at[1] + 1), 1.2 * radius, turn, light)
    _stamp(table, text, at, 1.2 * radius, turn, dark)


def _text(rng: Rng, text: str) -> NDArray[np.float32]:
    return _glyph(text, str(rng.choice(["DejaVuSans-Bold", "DejaVuSerif", "cmb10"])),
                  0.8 / max(1, 0.6 * len(text)), -1, 3)  # fmt: skip


def _box(at: tuple[float, float], width: float, height: float, angle: float) -> NDArray[np.int32]:
    return np.asarray(cv2.boxPoints(((at[0], at[1]), (width, height), angle)), np.int32)


def _card(rng: Rng, table: Picture, at: tuple[int, int]) -> None:
    width, angle = SCALE * rng.uniform(2.5, 5.5), rng.uniform(0, 360)
    height = width * rng.uniform(1.2, 1.6)
    paper = tuple(float(c) for c in rng.uniform(215, 255, 3)) if rng.random() < 0.7 else _srgb(rng)
    cv2.fillPoly(table, [_box(at, width, height, angle)], paper, 16)
    ink = _contrast(paper, rng)
    cv2.polylines(table, [_box(at, 0.9 * width, 0.92 * height, angle)], True, ink, 2, 16)
    turn = np.deg2rad(angle)
    across, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    kind = rng.random()
    for row in np.linspace(-0.36, 0.36, int(rng.integers(3, 9))):
        if kind < 0.4:  # lines of text
            ends = [at + down * row * height + across * k * width * 0.35 for k in (-1, 1)]
            first, last = (tuple(int(c) for c in end) for end in ends)
            cv2.line(table, first, last, ink, int(rng.integers(1, 5)), 16)
        else:  # rows of pips, digits or suits
            for column in (-0.25, 0.25) if kind < 0.8 else (0.0,):
                place = at + down * row * height + across * column * width
                spot = (int(place[0]), int(place[1]))
                if rng.random() < 0.5:
                    cv2.circle(table, spot, int(0.06 * width), ink, -1, 16)
                else:
                    mask = _text(rng, str(rng.choice([*"A23456789K"])))
                    _stamp(table, mask, spot, 0.25 * width, -angle, ink)
    if rng.random() < 0.3:
        spot = (int(at[0]), int(at[1]))
        mask = vortex(rng) if rng.random() < 0.6 else _pips(rng, int(rng.integers(1, 7)))
        _stamp(table, mask, spot, 0.4 * width, -angle, ink)


def _pencil(rng: Rng, table: Picture, at: tuple[int, int]) -> None:
    length, width, color = SCALE * rng.uniform(4, 11), SCALE * rng.uniform(0.3, 0.6), _srgb(rng)
    angle = rng.uniform(0, 360)
    cv2.fillPoly(table, [_box(at, length, width, angle)], tuple(0.7 * c for c in color), 16)
    cv2.fillPoly(table, [_box(at, length, width / 3, angle)], color, 16)


def _printed(rng: Rng, table: Picture, at: tuple[int, int]) -> None:
    """A flat square or bare paper with a digit, a vortex or pips: no die."""
    side, angle = SCALE * rng.uniform(0.6, 1.6), rng.uniform(0, 360)
    color = _srgb(rng)
    if rng.random() < 0.8:
        cv2.fillPoly(table, [_box(at, side, side, angle)], color, 16)
    text = str(rng.choice([*"123456789", "10", "17", "24"]))
    mask = _text(rng, text) if rng.random() < 0.7 else vortex(rng)
    _stamp(table, mask, at, 0.8 * side, -angle, _contrast(color, rng))


def _board(rng: Rng, table: Picture) -> None:
    """A board with a numbered track of squares along its edge."""
    x, y = rng.normal(_SIDE / 2, SCALE, 2)
    side, angle = SCALE * rng.uniform(10, 18), rng.uniform(0, 360)
    ground, paper = _srgb(rng), tuple(float(c) for c in rng.uniform(200, 250, 3))
    cv2.fillPoly(table, [_box((x, y), side, side, angle)], ground, 16)
    cv2.circle(table, (int(x), int(y)), int(side * rng.uniform(0.25, 0.36)), _srgb(rng), -1, 16)
    turn = np.deg2rad(angle)
    across, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    ink, number, count = _contrast(paper, rng), 1, int(rng.integers(7, 11))
    square = 0.8 * side / count
    for edge in range(4):
        along, out = ((across, -down), (down, across), (-across, down), (-down, -across))[edge]
        for step in range(count - 1):
            offset = (step + 0.5) / count - 0.5
            place = np.array([x, y]) + side * (along * offset + out * (0.5 - 0.5 / count))
            spot = (float(place[0]), float(place[1]))
            cv2.fillPoly(table, [_box(spot, square, square, angle)], paper, 16)
            mask = _text(rng, str(number))
            _stamp(table, mask, (int(spot[0]), int(spot[1])), 0.9 * square,
                   -angle - 90 * edge, ink)  # fmt: skip
            number += 1
