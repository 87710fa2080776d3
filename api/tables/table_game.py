"""What a game adds to a table: the seam between tables and games.

Rules say what an event makes of a state (``rules.game.GameRules``). A ``TableGame`` says what the
events of its rules are, what a position is worth, and how a table shows it. Tables know a position
by its one line of notation only, and a reading by its JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from api.games.registry import games_with, part
from api.problems import Problem
from api.tables.draft import Draft
from rules.games import GAMES
from rules.games import game as rules_of

if TYPE_CHECKING:
    from pydantic import BaseModel

    from api.models.disputes import ConsentAsked, DisputeAsked
    from api.models.tables import OpeningRequest, TableSettingsBase
    from api.tables.dispute_record import DisputeRecord
    from api.tables.record import Record
    from api.tables.round_record import Sent
    from api.workers.crop import Box
    from rules.game import GameRules
    from vision.readers import GameReading

Json = Mapping[str, Any]


class State(Protocol):
    """A table between two events, as the rules of any game tell it."""

    @property
    def settings(self) -> Any:
        """The event that set the table up: ``players``, and what else was agreed."""

    @property
    def rounds(self) -> Sequence[Any]:
        """All rounds so far."""

    @property
    def rounds_left(self) -> int:
        """How many rounds are still to be closed."""

    @property
    def current(self) -> Any | None:
        """The round that is open, if one is."""

    @property
    def finished(self) -> bool:
        """Whether the game is over."""


@dataclass(frozen=True)
class Names:
    """What a game calls things in its ledger and its answers."""

    position: str
    """The key of a position: ``layout``, ``dice``, ``board``."""
    terms: str
    """The key of what is revealed for a round: ``cards``, ``challenge``."""
    submission: str = "submission"
    submissions: str = "submissions"
    submitted: str = "position_submitted"
    """The kind of entry with which a player sends in a position."""
    corrected: str = "position_corrected"
    revealed: str = "round_revealed"


@dataclass(frozen=True)
class Models:
    """What a game's requests and answers look like over HTTP."""

    settings: type[TableSettingsBase]
    opening: type[OpeningRequest]
    terms: type[BaseModel]
    by_hand: type[BaseModel]
    correction: type[BaseModel]
    dispute_request: type[DisputeAsked]
    consent: type[ConsentAsked]
    table: type[BaseModel]
    round: type[BaseModel]
    submission: type[BaseModel]
    """The answer to something sent in."""
    corrected: type[BaseModel]
    locked: type[BaseModel]
    over: type[BaseModel]
    dispute: type[BaseModel]
    profile_set: type[BaseModel] | None = None
    """The answer to a profile that was set; none: the game's photos are read without one."""


@dataclass(frozen=True)
class SoloGame:
    """A finished game of one player: when, how it was played, what it brought, what par was."""

    at: float
    way: str
    total: int
    par: float | None = None


class TableGame(Protocol):
    """A game at a table. What cannot be done raises ``RulesError`` or ``Problem``."""

    id: str
    names: Names
    models: Models
    rounds: int
    """How many a game has."""
    profile_kind: str | None
    """What its photos are read by; None: by nothing that has to be measured."""
    wrong_in_itself: frozenset[str]
    """Codes of what the rules refuse whatever the table's state; all else is a matter of time."""
    own_kinds: frozenset[str]
    """Kinds of entries that only this game has; each is about a round."""

    # What happens, as events of the rules

    def set_up(self, asked: Any, seed: int, now: float) -> Json:
        """The event that opens a table as it was asked for (``models.opening``)."""

    def reveal(self, state: Any, terms: Any | None, now: float) -> Json:
        """The event that begins a round with these terms; None: with those drawn next."""

    def told_draw(self, state: Any, event: Json, now: float) -> Json:
        """The event of a draw as a history tells it, where nobody knows the seed."""

    def submitted(self, player: str, position: str, at: float) -> Json:
        """The event of a position sent in."""

    def corrected(self, number: int, player: str, position: str, reason: str, at: float) -> Json:
        """The event of a position put right."""

    def closed(self, at: float) -> Json:
        """The event that ends a round."""

    def ended(self, at: float) -> Json:
        """The event that ends the game."""

    def due(self, state: Any, now: float) -> list[Draft]:
        """What happens by itself, and should be written by now."""

    # Positions

    def legal(self, position: str) -> str:
        """The position as it is written; raises ``RulesError`` with all that is wrong."""

    def same(self, one: str, other: str) -> bool:
        """Whether two positions are the same thing, seen from another side perhaps."""

    def changed(self, position: str, correction: Any) -> str:
        """The position after a correction (``models.correction``)."""

    def worth(self, state: Any, number: int, player: str, position: str) -> tuple[int, ...]:
        """What the position brings in a round: points first, then what decides between equals."""

    # Readings

    def parse_reading(self, reading: Json) -> GameReading:
        """The reading in its JSON; raises ``RulesError`` if it is none."""

    def possibilities(self, reading: Json) -> Mapping[str, float]:
        """The positions that a reading holds possible, each with its probability."""

    def doubt(self, state: Any, number: int, reading: Any) -> Json | None:
        """What a reading is worth under doubt; None where nothing can be as it was read."""

    # Disputes

    def about(self, state: Any, number: int, asked: Json) -> Json:
        """What a dispute is about, by the game's own keys, as the ledger tells it."""

    def hangs_on(self, state: Any, dispute: Json, reading: Json | None) -> Json:
        """``doubt``, ``hangs_on`` and ``advice``; ``dispute`` has round, player and ``about``."""

    def marked(self, state: Any, dispute: DisputeRecord) -> Any | None:
        """What a drawing of the disputed position points at: a verdict, for instance."""

    def disputed_box(self, reading: Json, dispute: DisputeRecord) -> Box | None:
        """Where what is disputed is in the first photo; None if it is not in it."""

    # What is told

    def locked_score(self, state: Any, number: int, player: str) -> Json:
        """What the ledger says of a position when its round is locked."""

    def standings(self, state: Any) -> Json:
        """What the ledger says of everybody when the game ends."""

    def settings_shown(self, record: Record) -> Json:
        """How the table plays (``models.settings``); what all games have is added."""

    def table_shown(self, record: Record) -> Json:
        """What the game adds to a table."""

    def round_shown(self, record: Record, number: int, now: float) -> Json:
        """What the game adds to a round."""

    def submission_shown(self, record: Record, number: int, player: str, sent: Sent) -> Json:
        """What the game adds to what a player sent in; ``late`` and ``score`` among it."""

    def dispute_shown(self, record: Record, dispute: DisputeRecord) -> Json:
        """What the game adds to a dispute."""

    def standing_shown(self, record: Record) -> Json:
        """Where everybody stands now, and what is to be handed over."""

    def result_shown(self, state: Any) -> Json:
        """How a finished game ended."""

    def solo_game(self, state: Any) -> SoloGame:
        """What is kept of a finished game of one player."""

    def compared(self, own: SoloGame, others: Sequence[SoloGame]) -> Json:
        """A solo game beside earlier ones."""


def table_games() -> tuple[str, ...]:
    """The games that tables can be opened for."""
    return games_with("table")


def table_game(name: str) -> TableGame:
    """The game of this name at a table; raises ``Problem`` if there is none."""
    found = part(spelled(name), "table")
    if found is None:
        known = ", ".join(table_games())
        what = "Tables of this game cannot be opened yet." if spelled(name) in GAMES else ""
        text = what or f"There is no game {name!r}."
        raise Problem(422, "bad_game", f"{text} Games: {known}.")
    return cast(TableGame, found)


def spelled(name: str) -> str:
    """A game's name as JSON spells it: the shell has dashes for underscores."""
    return name.replace("-", "_")


def rules(game: TableGame) -> GameRules[Any, State]:
    """The rules of a game."""
    return rules_of(game.id)
