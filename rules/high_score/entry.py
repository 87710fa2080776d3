"""High Score as the rest of the house asks for it (see ``rules.game``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.high_score.dice import Dice, Problem, problems
from rules.high_score.game import Game, apply, event_from_json
from rules.high_score.questions import answer_score, answer_solve, terms

if TYPE_CHECKING:
    from rules.game import Json
    from rules.worth import Scoring


class HighScore:
    """The game of High Score: its position is the seven dice that end a turn."""

    id = "high_score"

    def parse(self, text: str) -> Dice:
        """The dice in one line of notation."""
        return Dice.parse(text)

    def problems(self, text: str) -> tuple[Problem, ...]:
        """All that is wrong with a line of notation."""
        return problems(text)

    def score(self, question: Json) -> dict[str, Any]:
        """The result of seven dice under a challenge, and why."""
        return answer_score(question)

    def solve(self, question: Json) -> dict[str, Any]:
        """Which dice to keep, and what to hope for."""
        return answer_solve(question)

    def scoring(self, question: Json) -> Scoring[Dice]:
        """Scores many sets of dice under the terms of a question."""
        from rules.high_score.adviser.results import scoring  # noqa: PLC0415 - numpy takes time

        return scoring(*terms(question))

    def after(self, state: Game | None, event: Json) -> Game:
        """The table after one more event."""
        return apply(state, event_from_json(event))
