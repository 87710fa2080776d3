"""Scores with all there is to say about them: reasons, culprits, and doubts of a reading."""

from collections.abc import Mapping
from typing import Any

from api.games.dimension.doubts import doubt
from api.problems import Problem
from rules.dimension.layout import Layout, problems
from rules.dimension.questions import Json, Terms, terms
from rules.dimension.scoring import score_round, unscored_json
from vision.dimension.reading import Reading, ReadingError


def answer_full_score(question: Mapping[str, Any]) -> Json:
    """The answer of ``POST /v1/scores``; ``question`` has a layout or a reading.

    Raises ``RulesError`` or ``Problem`` if it cannot be answered.
    """
    given = terms(question)
    layout, reading = question.get("layout"), question.get("reading")
    if (layout is None) == (reading is None):
        raise Problem(422, "bad_question", "Send either a layout or a reading.")
    if reading is None:
        return score_in_full(str(layout), given)
    seen = parse_reading(reading)
    answer = score_in_full(str(seen.layout), given)
    worth = doubt(seen, given.cards, given.edition, given.rulings, given.most)
    return {**answer, "doubt": worth.to_json()}


def score_in_full(text: str, given: Terms) -> Json:
    """What a layout scores, with every verdict's reason; all problems if it cannot be."""
    if wrong := problems(text):
        return {
            **unscored_json(wrong),
            "verdicts": [],
            "decisive_rulings": [],
        }
    score = score_round(Layout.parse(text), given.cards, given.edition, given.rulings, given.most)
    return {
        **score.to_json(),
        "verdicts": [verdict.to_json() for verdict in score.verdicts],
        "decisive_rulings": list(score.decisive_rulings),
    }


def parse_reading(data: object) -> Reading:
    """The reading that a client sent back; raises ``Problem`` unless it shows a tray."""
    try:
        reading = Reading.from_json(data)
    except ReadingError as error:
        errors = [{"where": problem.where, "text": problem.text} for problem in error.problems]
        raise Problem(
            422, "bad_reading", f"This is not a reading: {error}", errors=errors
        ) from error
    if reading.layout is None:
        raise Problem(422, "no_layout", "This reading shows no tray, so there is nothing to score.")
    return reading
