"""What is printed on a card: shapes, hatchings, signs and figures, drawn on a picture.

Lengths and places are in pixels of the card. A color is blue, green, red.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Color = tuple[int, int, int]
Point = tuple[float, float]
Points = NDArray[np.float64]

SHAPES = ("disc", "oval", "square", "diamond", "triangle", "wave", "star", "hexagon", "cross")
FILLS = ("solid", "empty", "striped", "hatched", "dotted", "tinted")
SIGNS = ("none", "bar", "beam", "more", "plus", "arrow", "equal", "dot", "ring", "tick")

_SHIFT = 4


@dataclass(frozen=True)
class Token:
    """A shape in a color with a filling."""

    shape: str
    color: Color
    fill: str


@dataclass(frozen=True)
class Pen:
    """How a design draws: the ink of outlines and signs, and how thick."""

    ink: Color
    width: float
    outlined: bool
    shaded: bool


def fixed(points: Points) -> NDArray[np.int32]:
    """Points as OpenCV draws them, in sixteenths of a pixel."""
    return np.round(points * (1 << _SHIFT)).astype(np.int32)


def outline(shape: str, centre: Point, radius: float) -> Points:
    """The outline of a shape as a polygon."""
    around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = np.stack([np.cos(around), np.sin(around)], 1)
    match shape:
        case "oval":
            way = np.where(circle[:, :1] > 0, 0.55, -0.55)
            points = 0.45 * circle + np.hstack([way, 0 * way])
        case "square":
            points = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.85
        case "diamond":
            points = np.array([[0, -0.65], [1, 0], [0, 0.65], [-1, 0]])
        case "triangle":
            points = np.array([[0, -0.95], [0.95, 0.75], [-0.95, 0.75]])
        case "wave":
            x = np.linspace(-0.9, 0.9, 24)
            y = 0.18 * np.sin(3.4 * x)
            points = np.vstack([np.stack([x, y - 0.38], 1), np.stack([x[::-1], y[::-1] + 0.38], 1)])
        case "star":
            reach = np.where(np.arange(10) % 2, 0.45, 1.0)[:, None]
            turn = np.arange(10) * np.pi / 5 - np.pi / 2
            points = reach * np.stack([np.cos(turn), np.sin(turn)], 1)
        case "hexagon":
            turn = np.arange(6) * np.pi / 3
            points = np.stack([np.cos(turn), np.sin(turn)], 1)
        case "cross":
            corner = [(-0.3, -0.95), (0.3, -0.95), (0.3, -0.3), (0.95, -0.3)]
            half = [*corner, (0.95, 0.3), (0.3, 0.3)]
            points = np.array([*half, *[(-x, -y) for x, y in half]])
        case _:
            points = circle
    return np.asarray(points * radius + np.array(centre), np.float64)


def draw_token(picture: Picture, token: Token, centre: Point, radius: float, pen: Pen) -> None:
    """Draw a token."""
    points = outline(token.shape, centre, radius)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [fixed(points)], 255, cv2.LINE_AA, _SHIFT)
    height, width = picture.shape[:2]
    rows = np.arange(height)[:, None]
    columns = np.arange(width)[None]
    step = max(5.0, radius / 4)
    cover: NDArray[np.float64]
    match token.fill:
        case "solid":
            cover = np.ones(mask.shape)
        case "striped":
            cover = (columns % step < max(1.2, 0.25 * step)).astype(np.float64)
        case "hatched":
            cover = ((rows + columns) % step < 0.45 * step).astype(np.float64)
        case "dotted":
            cover = ((rows % step < 0.55 * step) & (columns % step < 0.55 * step)).astype(float)
        case "tinted":
            cover = np.full(mask.shape, 0.45)
        case _:
            cover = np.zeros(mask.shape)
    blend(picture, token.color, cover * (mask / 255.0))
    edge = token.color if token.fill != "solid" else pen.ink
    if token.fill != "solid" or pen.outlined:
        thick = max(1, round(pen.width))
        cv2.polylines(picture, [fixed(points)], True, edge, thick, cv2.LINE_AA, _SHIFT)
    if pen.shaded and token.fill == "solid":
        x, y = centre
        apart = (columns - x + 0.3 * radius) ** 2 + (rows - y + 0.3 * radius) ** 2
        shine = np.exp(-apart / (0.12 * radius**2))
        blend(picture, (255, 255, 255), 0.5 * shine * (mask / 255.0))


def blend(picture: Picture, color: Color, cover: NDArray[np.float64]) -> None:
    """Lay a color over the picture, as thick as ``cover`` says."""
    mixed = picture + cover[..., None] * (np.array(color) - picture.astype(np.float64))
    picture[:] = np.clip(mixed, 0, 255).astype(np.uint8)


def draw_lines(
    picture: Picture, lines: Sequence[Sequence[Point]], color: Color, width: float
) -> None:
    """Draw open lines."""
    for line in lines:
        points = fixed(np.array(line, np.float64))
        cv2.polylines(picture, [points], False, color, max(1, round(width)), cv2.LINE_AA, _SHIFT)


def draw_sign(picture: Picture, sign: str, centre: Point, size: float, pen: Pen) -> None:
    """Draw a sign that stands between tokens."""
    x, y = centre
    s, width = size, max(1.5, pen.width * 1.5)
    lines: list[list[Point]]
    match sign:
        case "bar":
            lines = [[(x, y - 1.4 * s), (x, y + 1.4 * s)]]
        case "beam":
            lines = [[(x, y - 1.4 * s), (x, y + 1.4 * s)]]
            lines += [[(x - 0.3 * s, y + e * s), (x + 0.3 * s, y + e * s)] for e in (-1.4, 1.4)]
        case "more":
            lines = [[(x - 0.4 * s, y - 0.5 * s), (x + 0.4 * s, y), (x - 0.4 * s, y + 0.5 * s)]]
        case "plus":
            lines = [[(x - 0.4 * s, y), (x + 0.4 * s, y)], [(x, y - 0.4 * s), (x, y + 0.4 * s)]]
        case "arrow":
            lines = [[(x - 0.6 * s, y), (x + 0.6 * s, y)]]
            lines += [[(x + 0.2 * s, y - 0.4 * s), (x + 0.6 * s, y), (x + 0.2 * s, y + 0.4 * s)]]
        case "equal":
            lines = [[(x - 0.6 * s, y + e * s), (x + 0.6 * s, y + e * s)] for e in (-0.2, 0.2)]
        case "tick":
            lines = [[(x - 0.5 * s, y), (x - 0.1 * s, y + 0.5 * s), (x + 0.6 * s, y - 0.6 * s)]]
        case "dot":
            cv2.circle(picture, (round(x), round(y)), round(0.25 * s), pen.ink, -1, cv2.LINE_AA)
            return
        case "ring":
            thick = max(1, round(width))
            cv2.circle(picture, (round(x), round(y)), round(0.4 * s), pen.ink, thick, cv2.LINE_AA)
            return
        case _:
            return
    draw_lines(picture, lines, pen.ink, width)


def draw_text(
    picture: Picture, text: str, centre: Point, height: float, color: Color, font: int
) -> None:
    """Draw words or figures around a place."""
    scale = height / 22.0
    thick = max(1, round(height / 12))
    (width, tall), _ = cv2.getTextSize(text, font, scale, thick)
    at = (round(centre[0] - width / 2), round(centre[1] + tall / 2))
    cv2.putText(picture, text, at, font, scale, color, thick, cv2.LINE_AA)
