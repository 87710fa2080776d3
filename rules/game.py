"""What a game is to the rest of the house: the few things that every game can do.

A *position* is what stands on the table at the end of a round: a layout, seven dice, a building.
It prints as one line, and that line parses back. A *question* is a JSON object as programs send
it. A *state* is a table between two events of its ledger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:  # numpy takes its time to load, and scoring one position does without
    from rules.worth import Scoring

Json = Mapping[str, Any]

PositionT = TypeVar("PositionT")
StateT = TypeVar("StateT")


class PositionProblem(Protocol):
    """Something wrong with a position: a stable code for programs and a sentence for people."""

    @property
    def code(self) -> str:
        """What is wrong, for programs."""

    @property
    def text(self) -> str:
        """What is wrong, for people."""

    def to_json(self) -> dict[str, object]:
        """Both, and what it is about."""


class GameRules(Protocol[PositionT, StateT]):
    """A game's rules. What cannot be done raises ``RulesError`` with all that is wrong."""

    @property
    def id(self) -> str:
        """The game's name in JSON: small letters and underscores."""

    def parse(self, text: str) -> PositionT:
        """The position in one line of notation; ``str`` of it gives the line back."""

    def problems(self, text: str) -> Sequence[PositionProblem]:
        """All that is wrong with a line of notation; empty for a legal position."""

    def score(self, question: Json) -> dict[str, Any]:
        """The answer to ``score``."""

    def solve(self, question: Json) -> dict[str, Any]:
        """The answer to ``solve``."""

    def scoring(self, question: Json) -> Scoring[PositionT]:
        """Scores many positions under the terms of a question."""

    def after(self, state: StateT | None, event: Json) -> StateT:
        """A table after one more event; ``None`` is the table before its first."""
