"""The shape of a face as the network tells it, and back."""

import numpy as np
import pytest

from vision.high_score.finding import edges_of, shape_of

QUARTER = np.array([[0.0, -1.0], [1.0, 0.0]])


@pytest.mark.parametrize("seed", range(20))
def test_a_face_comes_back_up_to_a_quarter_turn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = rng.normal(0, 12, (2, 2))
    edges = edges if np.linalg.det(edges) > 0 else edges[:, ::-1]
    stretched = np.linalg.svd(edges)[1]
    if stretched[1] < 0.2 * stretched[0]:  # no camera above a table sees a face like this
        edges = edges + 20 * np.eye(2)
    again = edges_of(shape_of(edges))
    turned = [edges @ np.linalg.matrix_power(QUARTER, turn) for turn in range(4)]
    assert min(np.abs(again - ways).max() for ways in turned) < 1e-6 * stretched[0] + 1e-6


def test_the_shape_does_not_know_which_edge_comes_first() -> None:
    edges = np.array([[14.0, -3.0], [5.0, 11.0]])
    for turn in range(4):
        turned = edges @ np.linalg.matrix_power(QUARTER, turn)
        assert shape_of(turned) == pytest.approx(shape_of(edges))
