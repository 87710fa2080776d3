"""Examples of questions and answers of Dimension, by the names of their schemas.

Not with the models: FastAPI would leave out every null, and null is an empty seat. Long answers
were recorded from a game (``lab.dimension.record_examples``).
"""

import json
from importlib.resources import files
from typing import Any

from api.games.dimension.models.readings import EXAMPLE_LAYOUT, example_reading
from api.games.dimension.models.scores import EXAMPLE_CARDS

Json = dict[str, Any]

ROUND_CARDS = [*EXAMPLE_CARDS, "apart:GW", "more:OK", "sum4:OW"]

_STATELESS: dict[str, list[Json]] = {
    "ReadingsAnswer": [{"readings": [example_reading()]}],
    "ScoreQuestion": [
        {"layout": EXAMPLE_LAYOUT, "cards": EXAMPLE_CARDS},
        {"reading": example_reading(), "cards": EXAMPLE_CARDS, "edition": "de"},
    ],
    "ScoreAnswer": [
        {
            "spheres": 11,
            "verdicts": [
                {
                    "card": "touch:BK",
                    "fulfilled": True,
                    "reason": {
                        "en": "Every blue sphere touches a black one, and the other way round.",
                        "de": "Jede blaue Kugel berührt eine schwarze, und umgekehrt.",
                    },
                    "seats": ["R0", "R1", "R5", "T0", "T2", "A"],
                    "contacts": [
                        ["R0", "R1"],
                        ["R5", "R0"],
                        ["R1", "T0"],
                        ["T0", "T2"],
                        ["T2", "A"],
                    ],
                },
                {
                    "card": "exactly:2O",
                    "fulfilled": True,
                    "reason": {
                        "en": "There are two orange spheres, as asked.",
                        "de": "Es sind zwei orangefarbene Kugeln, wie verlangt.",
                    },
                    "seats": ["C", "T4"],
                    "contacts": [],
                },
                {
                    "card": "notabove:O",
                    "fulfilled": False,
                    "reason": {
                        "en": "The orange sphere on T4 lies on others.",
                        "de": "Die orangefarbene Kugel auf T4 liegt auf anderen.",
                    },
                    "seats": ["T4"],
                    "contacts": [["C", "T4"], ["R4", "T4"], ["R5", "T4"]],
                },
            ],
            "failed": 1,
            "penalty": 2,
            "points": 9,
            "bonus": 0,
            "decisive_rulings": [],
            "problems": [],
        },
    ],
    "SolutionAnswer": [
        {
            "points": 11,
            "bonus": 1,
            "layout": "GBBKOOK/.W.G.W/W",
            "optimal": 219432,
            "conflict": [],
            "with_bonus": {"points": 11, "layout": "GBBKOOK/.W.G.W/W"},
        },
    ],
}

_TABLES: dict[str, list[Json]] = {
    "RoundRequest": [{}, {"cards": ROUND_CARDS}],
    "HourglassRequest": [{"action": "start"}, {"action": "stop"}],
}


def examples() -> dict[str, list[Json]]:
    """All examples."""
    recorded = (files("api") / "data" / "examples.json").read_text("utf-8")
    return {**_STATELESS, **_TABLES, **json.loads(recorded)}
