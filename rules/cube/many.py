"""What many buildings are worth: the cards that each of them shows for certain."""

from collections.abc import Sequence

import numpy as np

from rules.cube.building import Building
from rules.cube.judge import judge
from rules.cube.questions import Terms
from rules.worth import Scoring, Worth


def scoring(terms: Terms) -> Scoring[Building]:
    """Scores buildings: a point for each card shown; an open verdict counts as not shown."""

    def score(buildings: Sequence[Building]) -> Worth:
        shown = np.array(
            [
                [
                    verdict.fulfilled is True
                    for verdict in judge(building, terms.cards, terms.colors, terms.supply)
                ]
                for building in buildings
            ],
            dtype=np.bool_,
        ).reshape(len(buildings), len(terms.cards))
        return Worth(
            points=shown.sum(axis=1, dtype=np.int64),
            bonus=np.zeros(len(buildings), dtype=np.int64),
            cards={str(card): shown[:, at] for at, card in enumerate(terms.cards)},
        )

    return score
