import numpy as np
import pytest

from rules.dimension.places import ALL_SEATS
from tests.vision.dimension.synthetic import Synthetic, bits, blind, clear, letters
from vision.dimension.inferring.fuse import Shot, Turn, fuse
from vision.dimension.inferring.infer import infer

PYRAMID = "OKBGGWB/K.B.O./K"
LEFT = {"S00": "O", "S10": "W", "S20": "W", "S30": "G"}
STATES = letters(PYRAMID, LEFT)


def shot(observer: Synthetic, inventory: bool = True) -> Shot:
    return Shot(observer, infer(observer, inventory), inventory)


def turned(table: np.ndarray[tuple[int, ...], np.dtype[np.float64]], turn: Turn) -> Synthetic:
    """The same evidence in a photo whose labels are turned."""
    theirs = np.empty_like(table)
    theirs[turn.order] = table
    return Synthetic(theirs)


def test_one_photo_is_what_it_is() -> None:
    one = shot(Synthetic(clear(STATES)))
    fused = fuse([one])
    assert fused.posterior.layout == one.posterior.layout
    assert fused.turns == (Turn(),)
    assert fused.contradicted == ()


def test_each_photo_shows_what_the_other_does_not() -> None:
    """Alone neither can tell two pairs apart; together all is clear."""
    first = shot(Synthetic(blind(clear(STATES), "C", "R0")))
    second = shot(Synthetic(blind(clear(STATES), "R1", "R3", "T0")))
    assert max(first.posterior.probability, second.posterior.probability) < 0.6
    fused = fuse([first, second])
    assert str(fused.posterior.layout) == PYRAMID
    assert fused.posterior.probability > 0.99
    assert fused.contradicted == ()


def test_what_one_hides_the_other_shows() -> None:
    """Order and covers differ from photo to photo, and each is asked under its own."""
    first = Synthetic(clear(STATES), covers={0: bits("T0", "T2", "T4")})
    second = Synthetic(clear(STATES), covers={1: bits("T0")}, sequence=range(len(ALL_SEATS)))
    second.sequence = [7, 8, 9, 10, 11, 12, 13, *range(7), *range(14, 29)]
    fused = fuse([shot(first), shot(second)])
    assert str(fused.posterior.layout) == PYRAMID
    assert fused.posterior.visible[0] == 1.0


def test_a_storage_that_one_photo_cuts_off_is_seen_by_the_other() -> None:
    cut = Synthetic(blind(clear(STATES), "C", *ALL_SEATS[14:]))
    whole = Synthetic(blind(clear(STATES), "C"))
    fused = fuse([shot(cut, inventory=False), shot(whole)])
    assert str(fused.posterior.layout) == PYRAMID
    assert fused.posterior.probability > 0.95


@pytest.mark.parametrize("turn", [Turn(1, 0), Turn(3, 2), Turn(5, 4)])
def test_turned_labels_are_turned_back(turn: Turn) -> None:
    other = turned(blind(clear(STATES), "C", "R0"), turn)
    first = shot(Synthetic(blind(clear(STATES), "R1", "T0")))
    fused = fuse([first, shot(other)], known_tray=False)
    assert fused.turns[1] == turn
    assert str(fused.posterior.layout) == PYRAMID
    assert fused.contradicted == ()


def test_labels_of_a_known_tray_are_not_turned_for_a_trifle() -> None:
    """An empty tray looks the same however it is turned."""
    empty = Synthetic(clear(letters("......./....../.", {})))
    assert fuse([shot(empty), shot(empty)]).turns == (Turn(), Turn())


def test_photos_that_contradict_each_other_are_noticed() -> None:
    moved = letters("OKBGGWB/K.B.O./.", {**LEFT, "S40": "K"})
    fused = fuse([shot(Synthetic(clear(STATES))), shot(Synthetic(clear(moved)))])
    assert fused.contradicted == ("A",)


def test_a_faint_difference_is_no_contradiction() -> None:
    doubtful = clear(STATES)
    doubtful[1] = [-8.0, -8.0, 0.3, -8.0, 0.0, -8.0]  # R0, black, looks a little bluer here
    fused = fuse([shot(Synthetic(clear(STATES))), shot(Synthetic(doubtful))])
    assert fused.contradicted == ()
    assert str(fused.posterior.layout) == PYRAMID


def test_turns_are_a_rotation_of_ring_and_slots() -> None:
    assert Turn(1, 0).seat("R5") == "R0"
    assert Turn(2, 1).seat("T5") == "T1"
    assert Turn(0, 2).seat("S41") == "S11"
    assert Turn(3, 3).seat("A") == "A"
    assert sorted(Turn(4, 3).order) == list(range(len(ALL_SEATS)))
