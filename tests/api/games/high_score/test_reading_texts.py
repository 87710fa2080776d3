"""Every message of the dice reader has its German."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from api.translation import in_german
from rules.high_score.dice import FACES
from vision.high_score.enrolling import DiceEnrolmentError, enrol
from vision.high_score.reader import NO_DICE
from vision.high_score.report import Judged, compose


def dice(count: int) -> list[Judged]:
    corners = np.array([[-9, -9], [9, -9], [9, 9], [-9, 9]])
    found = []
    for index in range(count):
        values = np.full(6, 0.04)
        values[index % len(FACES)] = 0.8
        uv = 40.0 * np.array([index % 3, index // 3], np.float64)
        found.append(Judged(uv, uv + corners, 18.0, 1.0, 0.0, values, 0.0, 0.0))
    return found


@pytest.mark.parametrize("count", [1, 2, 7, 9])
@pytest.mark.parametrize("doubt", ["", "leaning", "strange"])
@pytest.mark.parametrize("warning", ["", "too_dark", "blurred"])
def test_a_reading_speaks_german(count: int, doubt: str, warning: str) -> None:
    for which in range(count):
        found = dice(count)
        values = np.full(6, 0.08)
        values[which % 6] = 0.6
        told: dict[str, Any] = {doubt: 0.9} if doubt else {}
        found[which] = replace(found[which], values=values, **told)
        message = compose("a.jpg", found, {warning} - {""}, {}).message
        german = in_german(None, message)
        assert german is not None, message
        assert not {"die", "dice", "at", "the", "leans", "is"} & set(german.split()), german


def test_refusals_speak_german() -> None:
    assert in_german(None, NO_DICE) is not None
    empty = np.full((200, 300, 3), 128, np.uint8)
    for pictures, order in (([empty], "12345V"), ([empty, empty], "12345V"), ([empty], "1")):
        with pytest.raises(DiceEnrolmentError) as wrong:
            enrol(pictures, "mine", order)
        assert in_german(None, wrong.value.text) is not None, wrong.value.text
