"""The shape of a face as the network tells it, and back."""

import numpy as np
import pytest

from vision.high_score.finding import Array, edges_of, shape_of

QUARTER = np.array([[0.0, -1.0], [1.0, 0.0]])


def _turn(angle: float) -> Array:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


@pytest.mark.parametrize("seed", range(20))
def test_a_face_comes_back_up_to_a_quarter_turn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # as a camera above a table sees a face: never mirrored, shortened to a fifth at most
    seen, turned_by = _turn(rng.uniform(0, 2 * np.pi)), _turn(rng.uniform(0, 2 * np.pi))
    edges = seen @ np.diag([1.0, rng.uniform(0.2, 1.0)]) @ turned_by * rng.uniform(5, 60)
    again = edges_of(shape_of(edges))
    turned = [edges @ np.linalg.matrix_power(QUARTER, turn) for turn in range(4)]
    assert min(np.abs(again - ways).max() for ways in turned) < 1e-6


def test_the_shape_does_not_know_which_edge_comes_first() -> None:
    edges = np.array([[14.0, -3.0], [5.0, 11.0]])
    for turn in range(4):
        turned = edges @ np.linalg.matrix_power(QUARTER, turn)
        assert shape_of(turned) == pytest.approx(shape_of(edges))
