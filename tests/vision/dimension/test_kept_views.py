"""What looks at a tray add up to, and when they are forgotten."""

from dataclasses import replace

import numpy as np

from calibration.camera import Camera, Pose, View
from tests.vision.dimension.synthetic import Synthetic, blind, clear, letters
from vision.dimension.inferring.fuse import Shot
from vision.dimension.inferring.infer import infer
from vision.dimension.tracking.kept_views import STEADY, KeptViews

PYRAMID = "OKBGGWB/K.B.O./K"
LEFT = {"S00": "O", "S10": "W", "S20": "W", "S30": "G"}
STATES = letters(PYRAMID, LEFT)
MOVED = letters("OKBGGWB/K.B.O./.", {**LEFT, "S40": "K"})


def shot(states: str, *unseen: str) -> Shot:
    observer = Synthetic(blind(clear(states), *unseen))
    return Shot(observer, infer(observer))


def view(around_deg: float) -> View:
    turn = np.radians(around_deg)
    eye = 300 * np.array([0.5 * np.cos(turn), 0.5 * np.sin(turn), 0.87])
    return View(Camera.of_fov((512, 384), 60.0), Pose.looking_at(eye))


def layout(memory: KeptViews) -> str:
    assert memory.posterior is not None
    return str(memory.posterior.layout)


def test_looks_that_agree_are_steady() -> None:
    memory = KeptViews()
    for look in range(STEADY):
        assert not memory.steady, look
        memory.add(shot(STATES), view(0))
    assert memory.steady
    assert layout(memory) == PYRAMID


def test_views_from_two_sides_tell_more_than_each() -> None:
    memory = KeptViews()
    memory.add(shot(STATES, "C", "R0"), view(0))
    alone = memory.posterior
    memory.add(shot(STATES, "R1", "R3", "T0"), view(90))
    assert alone is not None
    assert memory.posterior is not None
    assert alone.probability < 0.6
    assert memory.posterior.probability > 0.99
    assert layout(memory) == PYRAMID


def test_looks_from_one_side_do_not_add_up() -> None:
    memory = KeptViews()
    probabilities = []
    for _ in range(4):
        memory.add(shot(STATES, "C", "R0"), view(0))
        assert memory.posterior is not None
        probabilities.append(memory.posterior.probability)
    assert max(probabilities) == min(probabilities)


def test_one_contradiction_is_a_mistake_two_are_a_move() -> None:
    memory = KeptViews()
    for _ in range(STEADY):
        memory.add(shot(STATES), view(0))
    memory.add(shot(MOVED), view(0))
    assert layout(memory) == PYRAMID
    assert not memory.steady
    memory.add(shot(MOVED), view(40))
    assert layout(memory).endswith("/.")
    assert not memory.steady
    memory.add(shot(MOVED), view(80))
    assert memory.steady


def test_a_mistake_is_forgotten() -> None:
    memory = KeptViews()
    for states in (STATES, STATES, MOVED, STATES, MOVED, STATES):
        memory.add(shot(states), view(0))
    assert layout(memory) == PYRAMID


def test_after_a_doubt_all_is_told_anew() -> None:
    memory = KeptViews()
    for _ in range(STEADY):
        memory.add(shot(STATES), view(0))
    memory.doubt()
    assert not memory.steady
    assert layout(memory) == PYRAMID, "until there is something newer"
    memory.add(shot(MOVED), view(0))
    assert layout(memory).endswith("/.")
    assert not memory.steady


def test_the_view_is_no_surer_for_being_carried_on() -> None:
    memory = KeptViews()
    for around in (0, 60, 120):
        told = shot(STATES)
        doubtful = replace(told.posterior, view=0.7)
        memory.add(replace(told, posterior=doubtful), view(around))
    assert memory.posterior is not None
    assert memory.posterior.view == 0.7
