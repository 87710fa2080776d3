"""Fifteen spheres get the names of their colours under any light."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.dimension.colors import learn_colors
from rules.dimension.layout import COLORS

PAINTS = {
    "O": (0.72, 0.25, 0.03),
    "B": (0.03, 0.08, 0.42),
    "G": (0.04, 0.25, 0.06),
    "K": (0.015, 0.015, 0.017),
    "W": (0.80, 0.79, 0.76),
}
"""Linear red, green, blue."""


@given(
    warmth=st.floats(-0.5, 0.5),
    green=st.floats(-0.15, 0.15),
    exposure=st.floats(0.15, 1.1),
    order=st.permutations(list(COLORS * 3)),
)
def test_fifteen_spheres_get_their_names_under_any_light(
    warmth: float, green: float, exposure: float, order: list[str]
) -> None:
    light = exposure * np.exp([warmth, green, -warmth])
    shade = np.linspace(0.75, 1.0, 15)
    bodies = [np.array(PAINTS[letter]) * light * s for letter, s in zip(order, shade, strict=True)]
    assert learn_colors(bodies).letters == tuple(order)


def test_the_same_paints_look_the_same_under_two_lights() -> None:
    order = COLORS * 3
    day = learn_colors([np.array(PAINTS[letter]) * 0.9 for letter in order])
    lamp = learn_colors([np.array(PAINTS[letter]) * (0.9, 0.6, 0.3) for letter in order])
    for letter in COLORS:
        assert lamp.labs[letter] == pytest.approx(day.labs[letter], abs=3.0)
