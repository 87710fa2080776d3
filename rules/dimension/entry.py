"""Dimension as the rest of the house asks for it (see ``rules.game``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.dimension.game import Game, apply, event_from_json
from rules.dimension.layout import Layout, Problem, problems
from rules.dimension.questions import answer_score, answer_solve, terms

if TYPE_CHECKING:
    from rules.game import Json
    from rules.worth import Scoring


class Dimension:
    """The game of Dimension: its position is a layout."""

    id = "dimension"

    def parse(self, text: str) -> Layout:
        """The layout in one line of notation."""
        return Layout.parse(text)

    def problems(self, text: str) -> tuple[Problem, ...]:
        """All that is wrong with a line of notation."""
        return problems(text)

    def score(self, question: Json) -> dict[str, Any]:
        """Verdicts and points of a layout."""
        return answer_score(question)

    def solve(self, question: Json) -> dict[str, Any]:
        """The best layout for some cards."""
        return answer_solve(question)

    def scoring(self, question: Json) -> Scoring[Layout]:
        """Scores many layouts under the terms of a question."""
        from rules.dimension.many import scoring  # noqa: PLC0415 - numpy takes time

        asked = terms(question)
        return scoring(asked.cards, asked.edition, asked.rulings, asked.most)

    def after(self, state: Game | None, event: Json) -> Game:
        """The table after one more event."""
        return apply(state, event_from_json(event))
