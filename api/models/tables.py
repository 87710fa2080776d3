"""A table of any game as clients see it, and what they ask of it.

Times are seconds since 1970 by the service's clock; ``server_now`` lets a device show the same
second as all others. What a game adds is in its folder of ``api/games``.
"""

from typing import Any, Literal

from pydantic import BaseModel, Field, field_validator

from api.models.asked import Asked, NewNames, Pin, PlayerName, TrayName
from api.models.submissions import TrayInUse

Favoured = Literal["owner", "opponents"]


class TableSettingsBase(Asked):
    """How a table plays, as far as all games have it."""

    game: str
    seed: int | None = Field(
        None,
        ge=0,
        lt=2**53,
        description="makes drawing repeatable. Without one it is secret until the game is over, "
        "and the ledger holds its SHA-256 from the start.",
    )
    tray: TrayName | None = Field(
        None,
        description="the profile for photos, unless one is set later for all or for a player; "
        "none: the built-in ones are tried",
    )
    unresolved: Favoured = Field(
        "owner",
        description="whom an unresolved dispute favours: of what the photos leave possible, the "
        "best or the worst for whose it is counts",
    )


class OpeningRequest(TableSettingsBase):
    """A new table: how it plays, and who."""

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


class PlayerState(BaseModel):
    """A player: whether a device has joined for them, their PIN, their tray."""

    name: str
    joined: bool
    pin: bool
    token_by: Literal["host", "player"] | None = Field(None, description="who made their token")
    pin_by: Literal["host", "player"] | None = Field(None, description="who made their PIN")
    tray: TrayInUse


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


class SoloComparison(BaseModel):
    """A solo game among all finished ones of the same player, played the same way."""

    way: str
    total: int
    place: int
    games: int
    best: int
    average: float


class LedgerHead(BaseModel):
    """The newest entry of the history."""

    length: int
    head: str
    fingerprint: str


class You(BaseModel):
    """Who the token of this request is."""

    role: Literal["host", "player"]
    player: str | None


class SoloGameState(BaseModel):
    """A finished solo game."""

    table: str
    at: float
    way: str
    total: int


class SoloHistory(BaseModel):
    """All finished solo games of a player, newest first, and the best of each way to play."""

    player: str
    game: str
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


class TableFrame(BaseModel):
    """What every table shows. ``version`` is the ledger's length and the ETag."""

    id: str
    code: str
    version: int
    created_at: float
    server_now: float
    you: You
    players: list[PlayerState]
    rounds_left: int
    ledger: LedgerHead
    finished: bool
    seal: Seal | None = Field(None, description="of the end of the game")


class RoundFrame(BaseModel):
    """What every round shows."""

    number: int
    drawn: bool = Field(description="drawn by the service; otherwise entered")
    frozen: bool = Field(description="a dispute about this round is open")
    locked: bool
    locked_at: float | None
    seal: Seal | None


class LockedFrame(BaseModel):
    """A round is locked: what was sent in can only be changed by a dispute now."""

    version: int
    round: int
    fingerprint: str
    head: str
    sequence: int
    seal: Seal


class GameOverFrame(BaseModel):
    """The game is finished."""

    version: int
    fingerprint: str
    head: str
    sequence: int
    seal: Seal
