"""Point and bonus tokens: what to hand over in which tokens, and when the box runs short."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Tokens = Mapping[int, int]
"""How many tokens of each value."""


def worth(tokens: Tokens) -> int:
    """The points in a heap of tokens."""
    return sum(value * count for value, count in tokens.items())


@dataclass(frozen=True)
class Handover:
    """What a player takes from the box and gives to it, and what could not be handed over.

    ``short`` is what the box still owes the player, ``debt`` what the player still owes the box;
    ``bonus`` are bonus tokens taken (or given back, if negative), ``bonus_short`` those lacking.
    """

    player: str
    take: Tokens
    give: Tokens
    short: int = 0
    debt: int = 0
    bonus: int = 0
    bonus_short: int = 0

    @property
    def amount(self) -> int:
        """The points that change hands, negative if the player gives."""
        return worth(self.take) - worth(self.give)


def exchange(purse: Tokens, supply: Tokens, amount: int) -> tuple[dict[int, int], int]:
    """The fewest tokens to move so that the purse gains ``amount``, and what cannot be moved.

    A positive count comes from the supply, a negative one goes back to it. If no set of tokens
    makes the amount, as much of it as can be is handed over.
    """
    step = 1 if amount > 0 else -1
    for missing in range(abs(amount) + 1):
        ways = list(
            _ways(tuple(sorted(supply, reverse=True)), purse, supply, amount - step * missing)
        )
        if ways:
            fewest = min(ways, key=lambda way: (sum(map(abs, way.values())), way.get(1, 0)))
            return fewest, missing
    raise AssertionError("nothing can always be handed over")


def _ways(
    values: tuple[int, ...], purse: Tokens, supply: Tokens, amount: int
) -> Iterator[dict[int, int]]:
    """Ways to move an amount in tokens of these values, largest first.

    Only counts near what the amount needs are tried: others move more tokens for nothing.
    """
    if not values:
        if amount == 0:
            yield {}
        return
    value, *rest = values
    low, high = -purse.get(value, 0), supply.get(value, 0)
    near = amount // value
    counts = {min(max(near + off, low), high) for off in (-2, -1, 0, 1, 2)}
    if not rest:
        counts = {near} if low <= near <= high else set()
    for count in counts | ({0} if rest else set()):
        for way in _ways(tuple(rest), purse, supply, amount - value * count):
            yield {value: count, **way} if count else way


def moved(tokens: Tokens, change: Tokens, sign: int = 1) -> dict[int, int]:
    """A heap of tokens after a change."""
    values = dict.fromkeys((*tokens, *change))
    return {value: tokens.get(value, 0) + sign * change.get(value, 0) for value in values}
