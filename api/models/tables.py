"""A table as clients see it, and what they ask of it.

Times are seconds since 1970 by the service's clock; ``server_now`` lets a device show the same
second as all others. Seats, layouts and card codes are those of docs/notation.md.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from api.models.asked import (
    Asked,
    CardCode,
    Color,
    FreeText,
    LayoutText,
    NewNames,
    Pin,
    PlayerName,
    SeatName,
    TrayName,
)
from api.models.disputes import Dispute
from api.models.trays import CoinCount, TrayInUse, TrayState
from rules.dimension.rulings import Rulings

Favoured = Literal["owner", "opponents"]


class RulingChoices(Asked):
    """How the table decides what the books leave open (see contracts); defaults first."""

    lone_touch: Literal["fulfilled", "failed"] = "fulfilled"
    exactly_pair: Literal["both", "joint"] = "both"
    total: Literal["negative", "floor"] = "negative"
    contradiction: Literal["pair", "unsatisfiable"] = "pair"

    def rulings(self) -> Rulings:
        """The same for the rules engine."""
        return Rulings(**self.model_dump())


class TableSettings(Asked):
    """How a table plays."""

    game: Literal["dimension"] = "dimension"
    edition: Literal["en", "de"] = "en"
    cards_per_round: Literal[6, 8] = 6
    without: tuple[Literal["exactly", "more_sum4"], ...] = Field((), max_length=2)
    put_back: bool = Field(False, description="cards that contradict go under the stack")
    rulings: RulingChoices = RulingChoices()
    hourglass_s: int = Field(60, ge=1, le=3600)
    seed: int | None = Field(
        None,
        ge=0,
        lt=2**53,
        description="makes drawing repeatable. Without one it is secret until the game is over, "
        "and the ledger holds its SHA-256 from the start.",
    )
    deck: tuple[CardCode, ...] | None = Field(
        None, max_length=200, description="a box of one's own; none: the standard deck"
    )
    tray: TrayName | None = Field(
        None,
        description="the tray profile for photos, unless one is set later for all or for a player; "
        "none: the built-in ones are tried",
    )
    unresolved: Favoured = Field(
        "owner",
        description="whom an unresolved dispute favours: of the layouts that the photos leave "
        "possible, the best or the worst for the tray's owner counts",
    )


class TableRequest(TableSettings):
    """A new table: how it plays, and who."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "example": {"game": "dimension", "edition": "en", "players": ["Ada", "Ben"]}
        },
    )

    players: NewNames = Field(min_length=1, max_length=16)

    @field_validator("players")
    @classmethod
    def _no_dots(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if any(not name.strip(".") for name in names):
            raise ValueError("a name is more than dots")
        return names


class Opened(BaseModel):
    """A new table. The host token is shown this once: it hosts, the code joins."""

    id: str
    code: str
    host_token: str


class JoinRequest(Asked):
    """Who sits down."""

    player: PlayerName


class Joined(BaseModel):
    """A seat at a table. The token is shown this once."""

    table: str
    player: str
    player_token: str


class Reissued(BaseModel):
    """A new token for a player; the old one is void."""

    player: str
    player_token: str


class LobbyPlayer(BaseModel):
    """A player as shown to those who want to join."""

    name: str
    joined: bool


class Lobby(BaseModel):
    """What a code leads to, before joining."""

    table: str
    players: list[LobbyPlayer]


class PinRequest(Asked):
    """A PIN that consents for a player on a tablet that several share."""

    pin: Pin
    old_pin: Pin | None = Field(None, description="needed to change one without the own token")


class RoundRequest(Asked):
    """The cards on the table; without any, they are drawn."""

    cards: tuple[CardCode, ...] | None = Field(None, min_length=1, max_length=60)


class HourglassRequest(Asked):
    """Turn the hourglass, or end it before the sand has run out."""

    action: Literal["start", "stop"]


class TrayByHand(Asked):
    """A tray as somebody sees it."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"example": {"layout": "OKBGGWB/K.B.O./K"}}
    )

    layout: LayoutText


class Correction(Asked):
    """Seats that were read or entered wrongly; all others stay as they are."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"example": {"seats": {"C": "O", "T2": None}, "reason": "misread"}},
    )

    seats: dict[SeatName, Color | None] = Field(
        min_length=1, max_length=14, description="null or a dot: nothing lies there"
    )
    reason: FreeText = ""


class PlayerState(BaseModel):
    """A player: whether a device has joined for them, their PIN, their tray."""

    name: str
    joined: bool
    pin: bool
    token_by: Literal["host", "player"] | None = Field(None, description="who made their token")
    pin_by: Literal["host", "player"] | None = Field(None, description="who made their PIN")
    tray: TrayInUse


class Hourglass(BaseModel):
    """The hourglass of a round: it is over when ``server_now`` reaches ``ends_at``."""

    seconds: int
    started_at: float | None
    ends_at: float | None = Field(description="when it runs out, or when it was stopped")
    server_now: float
    running: bool
    stopped: bool = Field(description="ended by hand before the sand ran out")


class Standing(BaseModel):
    """Points and bonus tokens of a player."""

    player: str
    points: int
    bonus: int


class HandoverState(BaseModel):
    """What a player takes from the box and gives to it, in the fewest tokens."""

    player: str
    amount: int
    take: list[CoinCount]
    give: list[CoinCount]
    short: int = Field(description="points the box still owes the player")
    debt: int = Field(description="points the player still owes the box")
    bonus: int = Field(description="bonus tokens to take; to give back, if negative")
    bonus_short: int


class Seal(BaseModel):
    """The ledger's head when a round was locked or the game ended, and the words for it."""

    fingerprint: str = Field(description="six words for the head alone")
    head: str
    sequence: int
    devices: int = Field(0, description="devices that committed to a random number before")
    told: int = Field(0, description="devices whose numbers are in the words")
    words: str | None = Field(
        None,
        description="the six words to compare: of the head and the devices' numbers. None while "
        "numbers are waited for; those of the head alone where no device takes part.",
    )


class RoundState(BaseModel):
    """A round: its cards, its hourglass, everybody's tray."""

    number: int
    cards: list[str]
    drawn: bool = Field(description="drawn by the service; otherwise entered")
    put_back: list[str]
    contradictions: list[tuple[str, str]] = Field(
        description="pairs of cards that no layout with both colours meets together"
    )
    hourglass: Hourglass
    trays: dict[str, TrayState] = Field(description="by player, as far as sent in")
    missing: list[str] = Field(description="players whose tray is still to come or to complete")
    frozen: bool = Field(description="a dispute about this round is open")
    locked: bool
    locked_at: float | None
    seal: Seal | None
    standings: list[Standing] | None = Field(description="after this round, once it is locked")
    handovers: list[HandoverState] = Field(description="when it was locked")


class FinalScoreState(BaseModel):
    """A player's end of the game."""

    player: str
    points: int
    bonus_tokens: int
    conversion: int
    total: int
    place: int


class SoloComparison(BaseModel):
    """A solo game among all finished ones of the same player, played the same way."""

    way: str
    total: int
    place: int
    games: int
    best: int
    average: float


class Result(BaseModel):
    """How the game ended."""

    scores: list[FinalScoreState] = Field(description="best first")
    winners: list[str]
    tie: Literal["none", "bonus_tokens", "shared"] = Field(
        description="bonus_tokens: equal totals, more tokens won; shared: several won"
    )
    solo: SoloComparison | None


class LedgerHead(BaseModel):
    """The newest entry of the history."""

    length: int
    head: str
    fingerprint: str


class You(BaseModel):
    """Who the token of this request is."""

    role: Literal["host", "player"]
    player: str | None


class TableState(BaseModel):
    """All there is to show. ``version`` is the ledger's length and the ETag."""

    id: str
    code: str
    version: int
    created_at: float
    server_now: float
    you: You
    settings: TableSettings
    players: list[PlayerState]
    rounds: list[RoundState]
    rounds_left: int
    standings: list[Standing]
    handovers: list[HandoverState] = Field(description="what is to be handed over now")
    disputes: list[Dispute]
    ledger: LedgerHead
    finished: bool
    result: Result | None
    seal: Seal | None = Field(None, description="of the end of the game")


class Locked(BaseModel):
    """A round is locked: its trays can only be changed by a dispute now."""

    version: int
    round: int
    fingerprint: str
    head: str
    sequence: int
    seal: Seal
    standings: list[Standing]
    handovers: list[HandoverState]


class GameOver(BaseModel):
    """The game is finished."""

    version: int
    fingerprint: str
    head: str
    sequence: int
    seal: Seal
    result: Result


class SoloGameState(BaseModel):
    """A finished solo game."""

    table: str
    at: float
    way: str
    total: int


class SoloHistory(BaseModel):
    """All finished solo games of a player, newest first, and the best of each way to play."""

    player: str
    games: list[SoloGameState]
    best: dict[str, int]


class LedgerEntry(BaseModel):
    """One row of the history. Its hash covers all other fields, the previous hash among them."""

    sequence: int
    at: float
    actor: str
    kind: str
    body: dict[str, Any]
    files: list[str] = Field(description="SHA-256 of photos and overlays")
    previous: str
    hash: str


class Ledger(BaseModel):
    """The whole history of a table; saved as a file, ``trayscore verify`` checks it."""

    format: str
    program: str | None = Field(
        description="the version that wrote the newest entry, as the history tells; none: it is of "
        "a time when histories did not"
    )
    table: str
    head: str
    fingerprint: str
    entries: list[LedgerEntry]


class TableEvent(BaseModel):
    """What a server-sent event tells: something happened; ``GET`` the table for its new state."""

    sequence: int
    at: float
    kind: str
    actor: str
    round: int | None = None
    player: str | None = None
    dispute: int | None = None
