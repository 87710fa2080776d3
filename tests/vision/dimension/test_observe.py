"""Evidence from pictures, on a sample image whose view is known."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.dimension.profile import TrayProfile
from rules.dimension.board import SEATS
from rules.dimension.layout import COLORS, Layout
from rules.dimension.places import ALL_SEATS
from vision.dimension.inferring.infer import infer
from vision.dimension.observing.features import KINDS
from vision.dimension.observing.observe import Observer, find, trained
from vision.dimension.observing.seat_evidence import STATES

SAMPLES = Path(__file__).parents[3] / "sample_images"
ALL = (1 << len(ALL_SEATS)) - 1


@cache
def truth() -> dict[str, Any]:
    lines = (SAMPLES / "truth.jsonl").read_text("utf-8").splitlines()
    found: dict[str, Any] = {entry["file"]: entry for entry in map(json.loads, lines)}
    return dict(found["lab-decagon.jpg"])


def observer(guess: int | None = None) -> Observer:
    """The sample's observer; where a guess is told, it is taken to have been found."""
    picture = np.asarray(cv2.imread(str(SAMPLES / truth()["file"])), np.uint8)
    camera = Camera.of_photo(tuple(truth()["size"]), truth()["fov_deg"], truth()["lens_k1"])
    view = View(camera, Pose.of(truth()["pose"]["rvec"], truth()["pose"]["tvec"]))
    profile = TrayProfile.from_json(truth()["profile"])
    if guess is None:
        return Observer(picture, view, profile)
    found = replace(find(picture, view, profile), occupied=guess)
    return Observer(picture, view, profile, found)


def questions() -> list[tuple[int, int]]:
    return [(seat, there) for seat in range(len(ALL_SEATS)) for there in (0, 0b10101 << 7, ALL)]


def test_the_evidence_is_that_of_the_layout() -> None:
    layout = Layout.parse(truth()["layout"])
    found = observer()
    assert infer(found).layout == layout
    there = sum(1 << seat for seat, state in enumerate(layout.cells) if state in COLORS)
    told = found.evidence([(seat, there) for seat in range(len(SEATS))])
    clear = [seat for seat in range(len(SEATS)) if told[seat].visible > 0.4]
    assert len(clear) >= 10
    assert [STATES[int(np.argmax(told[seat].loglik))] for seat in clear] == [
        layout.cells[seat] for seat in clear
    ]


def test_many_questions_have_the_answers_that_each_of_them_has() -> None:
    together = observer().evidence(questions())
    one_by_one = observer()
    for question, seen in zip(questions(), together, strict=True):
        alone = one_by_one.evidence([question])[0]
        assert alone.visible == seen.visible
        np.testing.assert_allclose(alone.loglik, seen.loglik, atol=1e-4)


@pytest.mark.parametrize("guess", [0, ALL])
def test_what_is_learned_does_not_depend_on_the_guess(guess: int) -> None:
    plain = observer()
    guessing = observer(guess)
    assert guessing.expected == plain.expected
    for ours, theirs in zip(
        plain.evidence(questions()), guessing.evidence(questions()), strict=True
    ):
        np.testing.assert_allclose(ours.loglik, theirs.loglik, atol=1e-4)


@pytest.mark.parametrize("name", ["single", "beside"])
def test_the_shipped_models_give_probabilities(name: str) -> None:
    model = trained(name)
    rows = np.zeros((3, len(model.mean)), np.float32)
    assert np.exp(model.log_probabilities(rows)).sum(axis=1) == pytest.approx(1.0)
    assert np.exp(model.priors).sum(axis=1) == pytest.approx(np.ones(len(KINDS)))
