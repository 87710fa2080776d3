"""What a reading is worth under the terms of a table or a question."""

from collections.abc import Sequence

from rules.dimension.cards import Card
from rules.dimension.editions import ENGLISH, Edition
from rules.dimension.many import scoring
from rules.dimension.rulings import Rulings
from vision.dimension.reading import Reading
from vision.dimension.reporting.doubt import Doubt
from vision.dimension.reporting.doubt import doubt as weighed


def doubt(
    reading: Reading,
    cards: Sequence[Card],
    edition: Edition = ENGLISH,
    rulings: Rulings | None = None,
    most: int | None = None,
) -> Doubt:
    """What a reading is worth over all layouts that it holds possible."""
    return weighed(reading, scoring(cards, edition, rulings, most))
