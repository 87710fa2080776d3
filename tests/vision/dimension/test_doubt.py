import pytest

from rules.dimension.cards import Card
from rules.dimension.editions import GERMAN
from rules.dimension.layout import Layout
from rules.dimension.many import scoring
from rules.dimension.scoring import score_round
from tests.vision.dimension.readings import make_reading, view_from
from vision.dimension.reading import Reading
from vision.dimension.reporting.doubt import doubt

PYRAMID = "OKBGGWB/K.B.O./K"
EXCHANGED = "KOBGGWB/K.B.O./K"  # C and R0 the other way round


def cards(*codes: str) -> list[Card]:
    return [Card.parse(code) for code in codes]


def test_without_doubt_the_points_are_those_of_the_layout() -> None:
    told = doubt(make_reading(PYRAMID, status="certain"), scoring(cards("touch:BK", "apart:OB")))
    score = score_round(Layout.parse(PYRAMID), cards("touch:BK", "apart:OB"))
    assert told.points == {score.points: pytest.approx(1.0)}
    assert told.cards == {"touch:BK": pytest.approx(1.0), "apart:OB": pytest.approx(0.0)}
    assert told.decisive == ()
    assert told.advice == ""


def test_the_score_may_be_certain_though_a_sphere_is_not() -> None:
    reading = make_reading(PYRAMID, alternatives={EXCHANGED: 0.4})
    told = doubt(reading, scoring(cards("exactly:2O")))
    assert list(told.points) == [11]
    assert told.decisive == ()
    assert "same" in told.advice


def test_the_sphere_that_decides_is_named() -> None:
    """R2 is green or white; a card counts the greens."""
    other = "OKBWGWB/K.B.O./K"
    reading = make_reading(PYRAMID, alternatives={other: 0.3}, doubts={"R2": 0.7})
    told = doubt(reading, scoring(cards("exactly:2G", "exactly:3B")))
    assert told.decisive == ("R2",)
    assert told.points == {11: pytest.approx(0.7), 9: pytest.approx(0.3)}
    assert told.cards == {"exactly:2G": pytest.approx(0.7), "exactly:3B": pytest.approx(1.0)}
    assert "R2" in told.advice
    assert "9 or 11" in told.advice


def test_probabilities_are_relative_to_the_layouts_named() -> None:
    reading = make_reading(PYRAMID, alternatives={EXCHANGED: 0.4})
    short = Reading(**{**reading.__dict__, "confidence": 0.3})
    told = doubt(short, scoring(cards("apart:OB")))
    assert sum(told.points.values()) == pytest.approx(1.0)


def test_the_bonus_counts_as_an_outcome() -> None:
    """Same points, but one of the layouts has all five colours."""
    four, five = "OOBBG../....../.", "OOBBGW./....../."
    reading = make_reading(four, alternatives={five: 0.5})
    told = doubt(reading, scoring(cards("exactly:2O"), GERMAN, most=11))
    assert told.decisive == ("R4",)


def test_nothing_is_scored_without_a_tray() -> None:
    with pytest.raises(ValueError, match="no tray"):
        doubt(Reading.refused("x.jpg", "no_tray", ""), scoring(cards("touch:BK")))


def test_doubt_as_json() -> None:
    told = doubt(make_reading(PYRAMID, alternatives={EXCHANGED: 0.25}), scoring(cards("touch:BK")))
    data = told.to_json()
    assert set(data) == {"points", "cards", "decisive", "advice"}
    assert data["points"][0]["p"] + sum(entry["p"] for entry in data["points"][1:]) == 1.0
    assert isinstance(data["advice"], str)


def test_advice_turns_the_camera_to_what_is_hidden() -> None:
    """Seen from low down, the pyramid hides what is behind it."""
    other = "OWBGGWB/K.B.O./K"
    view = view_from(50.0)
    reading = make_reading(PYRAMID, view=view, alternatives={other: 0.4}, doubts={"R0": 0.6})
    assert reading.seats["R0"].visible < 0.5
    told = doubt(reading, scoring(cards("exactly:3K")))
    assert told.decisive == ("R0",)
    assert "take another photo" in told.advice
    assert "bottom" not in told.advice
