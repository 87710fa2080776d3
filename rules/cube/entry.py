"""Cube as the rest of the house asks for it (see ``rules.game``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.cube.building import Building, Problem, problems
from rules.cube.game import Game, apply, event_from_json
from rules.cube.questions import answer_moves, answer_score, answer_solve, terms

if TYPE_CHECKING:
    from rules.game import Json
    from rules.worth import Scoring


class CubeRules:
    """The game of Cube: its position is the building on the board."""

    id = "cube"

    def parse(self, text: str) -> Building:
        """The building in one line of notation."""
        return Building.parse(text)

    def problems(self, text: str) -> tuple[Problem, ...]:
        """All that is wrong with a line of notation."""
        return problems(text)

    def score(self, question: Json) -> dict[str, Any]:
        """Which cards a building shows, and from where."""
        return answer_score(question)

    def solve(self, question: Json) -> dict[str, Any]:
        """The smallest building that shows all cards, or what one turn can fulfil."""
        return answer_solve(question)

    def moves(self, question: Json) -> dict[str, Any]:
        """Which cubes may be moved."""
        return answer_moves(question)

    def scoring(self, question: Json) -> Scoring[Building]:
        """Scores many buildings under the terms of a question."""
        from rules.cube.many import scoring  # noqa: PLC0415 - numpy takes time

        return scoring(terms(question))

    def after(self, state: Game | None, event: Json) -> Game:
        """The table after one more event."""
        return apply(state, event_from_json(event))
