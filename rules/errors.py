"""The one family of errors that the rules raise."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.game import PositionProblem


class RulesError(ValueError):
    """What cannot be done by the rules: a stable code for programs and a sentence for people.

    ``problems`` has all that is wrong, one by one, where there is more to say than one sentence.
    """

    problems: Sequence[PositionProblem] = ()

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text

    def to_json(self) -> dict[str, object]:
        """The error as decoded JSON."""
        return {"code": self.code, "text": self.text}
