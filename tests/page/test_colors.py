"""Colours that everyone can tell apart, and text that everyone can read."""

import re
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.page.source import text_of

FloatArray = NDArray[np.float64]

LEAST_DIFFERENCE = 20.0
"""ΔE (CIE76) between two colours; about ten times what one can just see side by side."""

# Viénot, Brettel and Mollon 1999 for protan and deutan, on linear RGB.
PROTAN = [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]]
DEUTAN = [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]]
# Brettel, Viénot and Mollon 1997 for tritan: two half planes, and the normal of their border.
TRITAN = (
    [[1.01277, 0.13548, -0.14826], [-0.01243, 0.86812, 0.14431], [0.07589, 0.805, 0.11911]],
    [[0.93678, 0.18979, -0.12657], [0.06154, 0.81526, 0.1232], [-0.37562, 1.12767, 0.24796]],
)
TRITAN_BORDER = np.array([0.03901, -0.02788, -0.01113])


def seen_by(eyes: str, rgb: FloatArray) -> FloatArray:
    """Linear RGB as such eyes see it."""
    if eyes == "tritan":
        plane = TRITAN[0 if rgb @ TRITAN_BORDER >= 0 else 1]
        return np.array(plane) @ rgb
    return {"full": np.eye(3), "protan": np.array(PROTAN), "deutan": np.array(DEUTAN)}[eyes] @ rgb


def paint() -> dict[str, dict[str, str]]:
    rows = re.findall(
        r'^  (\w): \{ fill: "(#\w+)", ink: "(#\w+)", pattern: "(\w+)" \},$',
        text_of("games/dimension/colors.js"),
        re.MULTILINE,
    )
    return {
        letter: {"fill": fill, "ink": ink, "pattern": pattern}
        for letter, fill, ink, pattern in rows
    }


def linear(color: str) -> FloatArray:
    values = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb: FloatArray) -> FloatArray:
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    ratios = to_xyz @ np.clip(rgb, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(ratios > 216 / 24389, np.cbrt(ratios), (24389 / 27 * ratios + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(first: str, second: str) -> float:
    weights = np.array([0.2126, 0.7152, 0.0722])
    lights = sorted(float(weights @ linear(color)) + 0.05 for color in (first, second))
    return lights[1] / lights[0]


def themes() -> dict[str, dict[str, str]]:
    text = text_of("shell/theme.css")
    blocks = {
        "dark": r":root \{(.*?)\n\}",
        "light": r':root\[data-theme="light"\] \{(.*?)\n\}',
        "auto": r'  :root\[data-theme="auto"\] \{(.*?)\n  \}',
    }
    found = {}
    for name, block in blocks.items():
        match = re.search(block, text, re.DOTALL)
        assert match
        found[name] = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", match[1]))
    return {name: {**found["dark"], **colors} for name, colors in found.items()}


def test_five_colors_five_patterns() -> None:
    assert set(paint()) == set("OBGKW")
    assert len({entry["pattern"] for entry in paint().values()}) == 5


@pytest.mark.parametrize("eyes", ["full", "protan", "deutan", "tritan"])
@pytest.mark.parametrize("pair", [*combinations("OBGKW", 2)])
def test_spheres_differ_to_all_eyes(eyes: str, pair: tuple[str, str]) -> None:
    seen = [lab(seen_by(eyes, linear(paint()[letter]["fill"]))) for letter in pair]
    assert np.linalg.norm(seen[0] - seen[1]) >= LEAST_DIFFERENCE


@pytest.mark.parametrize("letter", "OBGKW")
def test_letters_can_be_read_on_their_spheres(letter: str) -> None:
    assert contrast(paint()[letter]["fill"], paint()[letter]["ink"]) >= 4.5


@pytest.mark.parametrize("theme", ["dark", "light", "auto"])
@pytest.mark.parametrize("text", ["text", "muted", "yes", "no", "doubt"])
@pytest.mark.parametrize("ground", ["ground", "surface", "raised"])
def test_text_can_be_read(theme: str, text: str, ground: str) -> None:
    colors = themes()[theme]
    assert contrast(colors[text], colors[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["dark", "light", "auto"])
def test_the_main_button_can_be_read(theme: str) -> None:
    assert contrast(themes()[theme]["accent"], themes()[theme]["on-accent"]) >= 7


def test_the_device_s_light_theme_is_the_light_theme() -> None:
    assert themes()["auto"] == themes()["light"]
