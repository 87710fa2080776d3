"""Labels for the locating network agree with the truth, and stay with the picture when varied."""

import cv2
import numpy as np
import pytest

from lab.dimension.make import Seeds, Wishes, compose
from lab.dimension.training.locate_labels import labels_of
from lab.dimension.training.locate_pictures import Lesson, reach_of, varied
from vision.dimension.locating.detector import SIZE

NAME = "007-00003.jpg"
PLACE = (7, 3)


def drawn() -> dict[str, object]:
    return compose(Seeds.of(*PLACE), Wishes(size=(512, 384)))[1]


def test_visible_spheres_of_the_tray_are_labelled_where_the_truth_has_them() -> None:
    truth = drawn()
    labels = labels_of(NAME, truth)
    spheres = truth["spheres"]
    assert isinstance(spheres, dict)
    for sphere in spheres.values():
        if sphere["visible"] > 0.4:
            place = np.array(sphere["outline"][:2]) - 0.5
            assert np.linalg.norm(labels.spheres - place, axis=1).min() < 0.1


def test_every_tray_has_a_centre_and_five_slots_around_it() -> None:
    labels = labels_of(NAME, drawn())
    assert len(labels.centres) == len(labels.slots) >= 1
    for centre, slots in zip(labels.centres, labels.slots, strict=True):
        assert np.linalg.norm(slots.mean(axis=0) - centre) < 0.5 * reach_of(slots)


def test_pictures_of_another_lab_are_refused() -> None:
    truth = drawn()
    with pytest.raises(ValueError, match="another version"):
        labels_of("007-00004.jpg", truth)


def test_labels_move_with_the_picture() -> None:
    """A picture with a bright spot at each label keeps the spots at the labels when varied."""
    labels = labels_of(NAME, drawn())
    picture = np.zeros((384, 512, 3), np.uint8)
    for u, v in labels.holes if len(labels.holes) else labels.spheres:
        cv2.circle(picture, (round(u), round(v)), 6, (255, 255, 255), -1)
    half = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5), np.uint8)
    seen, moved = varied(np.random.default_rng(4), Lesson(picture, half, labels))
    spots = moved.holes if len(labels.holes) else moved.spheres
    inside = (spots > 2).all(axis=1) & (spots < np.array(SIZE) - 3).all(axis=1)
    assert inside.any()
    for u, v in spots[inside]:
        around = seen[round(v) - 1 : round(v) + 2, round(u) - 1 : round(u) + 2]
        assert around.mean() > seen.mean() + 40
