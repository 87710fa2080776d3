"""From what was seen of each die to a reading."""

from dataclasses import replace

import numpy as np

from rules.high_score.dice import FACES
from vision.high_score.report import Judged, compose


def die(value: str, p: float = 0.9999, at: tuple[float, float] = (10.0, 10.0)) -> Judged:
    values = np.full(6, (1 - p) / 5)
    values[FACES.index(value)] = p
    uv = np.array(at)
    corners = uv + np.array([[-9, -9], [9, -9], [9, 9], [-9, 9]])
    return Judged(uv, corners, 18.0, 1.0, 0.0, values, 0.0, 0.0)


def seven(*values: str) -> list[Judged]:
    return [die(value, at=(40.0 * index, 0.0)) for index, value in enumerate(values)]


def test_seven_sure_dice_are_certain_and_sorted() -> None:
    reading = compose("a.jpg", seven(*"5V21135"), set(), {})
    assert (reading.status, reading.dice, reading.warnings) == ("certain", "112355V", ())
    assert reading.confidence is not None
    assert reading.confidence > 0.99


def test_another_number_of_dice_is_read_but_never_certain() -> None:
    for values in ("11", "11223345"):
        reading = compose("a.jpg", seven(*values), set(), {})
        assert (reading.status, reading.dice) == ("uncertain", values)
        assert "count" in reading.warnings


def test_a_leaning_die_is_told_and_never_certain() -> None:
    dice = seven(*"1234512")
    dice[3] = replace(dice[3], leaning=0.8)
    reading = compose("a.jpg", dice, set(), {})
    assert reading.status == "uncertain"
    assert "cocked" in reading.warnings
    assert [seen.cocked for seen in reading.seen] == [index == 3 for index in range(7)]
    assert "leans" in reading.message


def test_strange_dice_are_never_certain() -> None:
    dice = seven(*"1234512")
    dice[0] = replace(dice[0], strange=0.9)
    reading = compose("a.jpg", dice, set(), {})
    assert reading.status == "uncertain"
    assert "unknown_dice" in reading.warnings


def test_an_unsure_die_makes_the_reading_unsure_and_is_pointed_at() -> None:
    dice = [*seven(*"123451"), die("5", 0.7, at=(300.0, 200.0))]
    reading = compose("a.jpg", dice, set(), {})
    assert reading.status == "uncertain"
    assert "bottom right" in reading.message
    assert reading.confidence is not None
    assert reading.confidence < 0.71
    assert len(reading.alternatives) == 5
    assert all(p < reading.confidence for _, p in reading.alternatives)


def test_a_place_that_may_hold_an_eighth_die_spoils_certainty() -> None:
    maybe = replace(die("1", at=(500.0, 0.0)), strength=0.3)
    reading = compose("a.jpg", [*seven(*"1234512"), maybe], set(), {})
    assert reading.dice == "1122345"
    assert reading.status == "uncertain"


def test_a_reading_prints_as_json() -> None:
    told = compose("a.jpg", seven(*"1234512"), set(), {"total": 1.23}).to_json()
    assert told["seen"][0] == {
        "value": "1", "p": 0.9999, "uv": [0.0, 0.0], "side": 18.0, "cocked": False,
    }  # fmt: skip
    assert told["ms"] == {"total": 1.2}
