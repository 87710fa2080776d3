"""What a solver's process does. It loads the rules only, no framework and no OpenCV."""

from dataclasses import dataclass
from typing import Any, ClassVar

from api.workers.process import ForeseenError
from rules.errors import RulesError
from rules.games import DEFAULT
from rules.games import game as rules_of

Json = dict[str, Any]


class SolutionRefused(ForeseenError):
    """What the rules refuse: a text for people, a code for programs, and all that is wrong."""

    def __init__(self, text: str, code: str, errors: list[Json] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.errors = errors
        self.args = (text, code, errors)  # what it is made of again in the other process


def warm_up() -> None:
    """Load all that a solution needs, by solving something."""
    rules_of().solve({"cards": ["touch:BK"]})


@dataclass(frozen=True)
class Solve:
    """A question for the best position."""

    patience: ClassVar[float] = 1.0
    question: Json
    game: str = DEFAULT

    def run(self) -> Json:
        """The answer of ``solve`` in docs/notation.md."""
        try:
            return rules_of(self.game).solve(self.question)
        except RulesError as error:
            wrong: list[Json] = [problem.to_json() for problem in error.problems]
            raise SolutionRefused(error.text, error.code, wrong or None) from error
