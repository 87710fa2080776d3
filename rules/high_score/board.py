"""The board: where pieces stand after a round, and who gets which chip.

Places are 1–60: a space of the board, from 31 on with the 30+ marker turned. A taken place drops
a later piece to the next free lower one. Where none is left, the piece stays in the middle of the
board; there, too, the one who came first is ahead. So the middle counts as places 0, −1, −2 …
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

SPACES = 30
LAST_PLACE = 2 * SPACES
FEWEST_PLAYERS, MOST_PLAYERS = 2, 5


class Chip(StrEnum):
    """A chip for one of the three furthest."""

    GOLD = "gold"
    SILVER = "silver"
    BRONZE = "bronze"

    @property
    def points(self) -> int:
        """What the chip is worth at the end."""
        return {Chip.GOLD: 3, Chip.SILVER: 2, Chip.BRONZE: 1}[self]


@dataclass(frozen=True)
class Piece:
    """A piece after its move; ``place`` is ``None`` if it did not move (no positive result)."""

    result: int
    place: int | None

    @property
    def in_the_middle(self) -> bool:
        """Whether the piece stands on no space."""
        return self.place is None or self.place < 1

    @property
    def space(self) -> int | None:
        """The space of the board, 1–30, or ``None`` for the middle."""
        if self.place is None or self.place < 1:
            return None
        return (self.place - 1) % SPACES + 1

    @property
    def marker(self) -> bool:
        """Whether the 30+ marker is turned."""
        return self.place is not None and self.place > SPACES

    @property
    def dropped(self) -> int:
        """How many places the piece lost since others stood there."""
        return 0 if self.place is None else min(self.result, LAST_PLACE) - self.place

    def to_json(self) -> dict[str, object]:
        """The piece as a JSON object."""
        return {
            "result": self.result,
            "place": None if self.in_the_middle else self.place,
            "space": self.space,
            "marker": self.marker,
        }


def place_for(result: int, taken: Collection[int]) -> int | None:
    """The place of a piece that moves by this result; ``None`` if it does not move.

    >>> place_for(31, {31, 30}), place_for(99, ()), place_for(1, {1}), place_for(0, ())
    (29, 60, 0, None)
    """
    if result < 1:
        return None
    place = min(result, LAST_PLACE)
    while place in taken:
        place -= 1
    return place


def moved(results: Sequence[int]) -> tuple[Piece, ...]:
    """The pieces of players who moved one after the other by these results."""
    pieces: list[Piece] = []
    for result in results:
        taken = {piece.place for piece in pieces if piece.place is not None}
        pieces.append(Piece(result, place_for(result, taken)))
    return tuple(pieces)


def chips_for(players: int) -> tuple[Chip, ...]:
    """The chips of a round, best first; none for a player alone."""
    if players < FEWEST_PLAYERS:
        return ()
    return (Chip.GOLD, Chip.BRONZE) if players == FEWEST_PLAYERS else tuple(Chip)


def awarded(pieces: Sequence[Piece]) -> tuple[Chip | None, ...]:
    """The chip of each player, in the order of the pieces."""
    places = sorted((piece.place for piece in pieces if piece.place is not None), reverse=True)
    chips = dict(zip(places, chips_for(len(pieces)), strict=False))
    return tuple(None if piece.place is None else chips.get(piece.place) for piece in pieces)
