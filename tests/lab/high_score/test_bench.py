"""How readings of dice are judged."""

import pytest

from lab.high_score.bench import Tally, Truth, calibration_error, judge
from vision.high_score.reading import DiceReading, SeenDie, Status


def truth(*values: str | None) -> Truth:
    dice = [
        {"value": value, "uv": [50.0 * index, 0.0], "side_px": 20.0}
        for index, value in enumerate(values)
    ]
    return {"file": "a.jpg", "kind": "roll", "dice": dice}


def reading(values: str, status: Status = "certain", off: float = 0.0) -> DiceReading:
    seen = [SeenDie(value, 0.99, (50.0 * at + off, 0.0), 20.0) for at, value in enumerate(values)]
    return DiceReading("a.jpg", status, "", values, 0.9, tuple(seen))


@pytest.mark.parametrize(
    ("values", "seen", "verdict", "right"),
    [
        ("12V", reading("12V"), "exact", 3),
        ("12V", reading("12V", "uncertain"), "exact, unsure", 3),
        ("12V", reading("125"), "SILENT ERROR", 2),
        ("12V", reading("12"), "SILENT ERROR", 2),
        ("12", reading("12V"), "SILENT ERROR", 2),
        ("12", reading("13", "uncertain"), "wrong, unsure", 1),
        ("12", reading("12", off=13.0), "SILENT ERROR", 0),
        ("12", reading("", "no_dice"), "not found", 0),
    ],
)
def test_places_values_and_number_must_be_right(
    values: str, seen: DiceReading, verdict: str, right: int
) -> None:
    assert judge(truth(*values), seen) == (verdict, right)


def test_a_leaning_die_must_not_be_certain() -> None:
    assert judge(truth("1", None), reading("12"))[0] == "SILENT ERROR"
    assert judge(truth("1", None), reading("12", "uncertain"))[0] == "leaning told"


def test_a_photo_without_dice_must_be_refused() -> None:
    nothing: Truth = {"file": "a.jpg", "kind": "negative", "dice": []}
    assert judge(nothing, reading("1", "uncertain"))[0] == "FALSE DICE"
    assert judge(nothing, reading("", "no_dice"))[0] == "refused"


def test_figures_name_silent_errors(capsys: pytest.CaptureFixture[str]) -> None:
    tally = Tally()
    tally.add(truth("1"), reading("1"))
    tally.add(truth("1"), reading("2"))
    tally.say("two")
    assert "whole 1/2, dice 1/2, certain 2, silent errors 1" in capsys.readouterr().out


def test_confidence_that_holds_has_no_calibration_error() -> None:
    assert calibration_error([(1.0, True)] * 20) == 0.0
    assert calibration_error([(1.0, False)] * 20) == 1.0
    assert calibration_error([]) == 0.0
