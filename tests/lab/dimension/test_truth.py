"""Truths tell the view of their picture, with a pose or without."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.dimension.geometry import seat_positions
from lab.dimension.truth import CORNER, profile_of, view_of

SAMPLES = Path(__file__).parents[3] / "sample_images"
TRUTHS: dict[str, dict[str, Any]] = {
    truth["file"]: truth
    for truth in map(json.loads, (SAMPLES / "truth.jsonl").read_text("utf-8").splitlines())
}


@pytest.mark.parametrize("file", ["02400.jpg", "01006.jpg", "01211.jpg"])
def test_a_view_without_a_pose_is_that_of_the_spheres(file: str) -> None:
    truth = TRUTHS[file]
    assert "pose" not in truth
    view = view_of(truth)
    assert view is not None
    assert view.pose.tilt_deg == pytest.approx(truth["tilt_deg"], abs=1.0)
    places = seat_positions(profile_of(truth))
    for seat, sphere in truth["spheres"].items():
        pixel = view.project(np.array([places[seat]]))[0] + CORNER
        assert np.linalg.norm(pixel - (sphere["u"], sphere["v"])) < 2.5


def test_a_pose_that_is_told_is_taken() -> None:
    truth = TRUTHS["lab-play.jpg"]
    view = view_of(truth)
    assert view is not None
    assert view.pose.tvec == pytest.approx(truth["pose"]["tvec"])


def test_too_few_spheres_tell_no_view() -> None:
    truth = TRUTHS["01006.jpg"]
    few = dict(list(truth["spheres"].items())[:3])
    assert view_of({**truth, "spheres": few}) is None
