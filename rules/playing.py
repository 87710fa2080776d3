"""Tables of any game: a state follows from events, and an event may be refused."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Protocol, TypeVar

from rules.errors import RulesError

StateT = TypeVar("StateT")
EventT = TypeVar("EventT")


class IllegalMove(RulesError):
    """What the rules of the table do not allow now, with the reason."""


class Numbered(Protocol):
    """A round with its number; the first is 1."""

    @property
    def number(self) -> int:
        """Which round of the game it is."""


RoundT = TypeVar("RoundT", bound=Numbered)


def fold(apply: Callable[[StateT | None, EventT], StateT], events: Iterable[EventT]) -> StateT:
    """The state that the events lead to; the first must set the table up."""
    state = reduce(apply, events, None)
    if state is None:
        raise not_set_up()
    return state


def not_set_up() -> IllegalMove:
    """The refusal of anything that comes before the table is set up."""
    return IllegalMove("not_set_up", "A game begins by setting up the table.")


def already_set_up() -> IllegalMove:
    """The refusal of a second set-up."""
    return IllegalMove("already_set_up", "The table is set up already.")


def refuse_bad_players(names: Sequence[str], fewest: int, most: int) -> None:
    """Raise unless enough players, and not too many, have names of their own."""
    if not fewest <= len(names) <= most:
        least = {1: "One", 2: "Two"}[fewest]
        raise IllegalMove("bad_players", f"{least} to {most} can play, not {len(names)}.")
    if len(set(names)) < len(names) or not all(name.strip() for name in names):
        raise IllegalMove("bad_players", "Every player needs a name of their own.")


def refuse_stranger(players: Sequence[str], player: str) -> None:
    """Raise if somebody is not at the table."""
    if player not in players:
        raise IllegalMove(
            "unknown_player", f"{player!r} is not at this table. Players: {', '.join(players)}."
        )


def with_round(rounds: Sequence[RoundT], round_: RoundT) -> tuple[RoundT, ...]:
    """The rounds with one of them as it is now."""
    return tuple(round_ if other.number == round_.number else other for other in rounds)
