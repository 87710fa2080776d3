"""Colours, and what light must not change about them."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from calibration.color import SceneLight, assign, body_color, differences, to_lab, to_linear

BLUE = (0.03, 0.08, 0.42)
"""Linear red, green, blue."""


def test_lab_is_that_of_opencv() -> None:
    chance = np.random.default_rng(0)
    bgr = chance.integers(0, 256, (50, 1, 3), dtype=np.uint8)
    expected = cv2.cvtColor((bgr / 255).astype(np.float32), cv2.COLOR_BGR2LAB)[:, 0]
    assert np.allclose(to_lab(to_linear(bgr))[:, 0], expected, atol=0.5)


def test_highlight_and_shadow_do_not_change_a_body() -> None:
    chance = np.random.default_rng(1)
    paint = np.array(BLUE)
    pixels = paint * chance.uniform(0.8, 1.0, (400, 1))
    pixels[:30] = 1.0
    pixels[30:130] *= 0.1
    assert body_color(pixels) == pytest.approx(paint * 0.9, rel=0.1)


def test_white_is_white_in_its_own_light() -> None:
    seen = np.array([0.6, 0.4, 0.2])
    lightness, a, b = SceneLight.from_white_sphere(seen).lab(seen)
    assert lightness > 90
    assert abs(a) < 0.1
    assert abs(b) < 0.1


def test_assignment_takes_three_of_each_even_against_the_nearest() -> None:
    references = np.array([[0.0, 0, 0], [100, 0, 0]])
    labs = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [40, 0, 0], [100, 0, 0], [99, 0, 0]])
    which, _ = assign(labs, references, each=3)
    assert which.tolist() == [0, 0, 0, 1, 1, 1]


@given(seed=st.integers(0, 2**32 - 1), spread=st.floats(1.0, 100.0))
def test_no_assignment_is_cheaper(seed: int, spread: float) -> None:
    chance = np.random.default_rng(seed)
    references = chance.uniform(-100, 100, (5, 3))
    labs = np.repeat(references, 3, axis=0) + chance.normal(0, spread, (15, 3))
    costs = np.repeat(differences(labs, references), 3, axis=1)
    rows, columns = linear_sum_assignment(costs)
    which, cost = assign(labs, references, each=3)
    assert which.tolist() == (columns // 3).tolist()
    assert cost == pytest.approx(costs[rows, columns].sum(), rel=1e-12)
