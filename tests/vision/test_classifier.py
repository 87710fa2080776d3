import io

import numpy as np
import pytest

from vision.classifier import Classifier


def tiny() -> Classifier:
    """Two inputs, three rectified sums, two classes: worked out by hand below."""
    return Classifier(
        mean=np.array([1.0, 0.0], np.float32),
        scale=np.array([2.0, 1.0], np.float32),
        weights=(
            np.array([[1, 0, -1], [0, 1, 1]], np.float32),
            np.array([[1, 0], [0, 1], [2, 2]], np.float32),
        ),
        biases=(np.zeros(3, np.float32), np.array([0.5, 0.0], np.float32)),
        priors=np.zeros((1, 2), np.float32),
    )


def test_layers_rectifiers_and_softmax_by_hand() -> None:
    # (3, 2) → scaled (1, 2) → sums (1, 2, 1) → classes (1 + 2 + 0.5, 2 + 2)
    scores = np.array([3.5, 4.0])
    expected = scores - np.log(np.exp(scores).sum())
    assert tiny().log_probabilities(np.array([[3.0, 2.0]], np.float32))[0] == pytest.approx(
        expected
    )


def test_what_is_saved_is_what_is_loaded() -> None:
    file = io.BytesIO()
    np.savez(file, **tiny().arrays("tiny"))  # type: ignore[arg-type]
    file.seek(0)
    rows = np.random.default_rng(0).normal(size=(5, 2)).astype(np.float32)
    again = Classifier.load(file, "tiny").log_probabilities(rows)
    assert again == pytest.approx(tiny().log_probabilities(rows), abs=1e-3)
