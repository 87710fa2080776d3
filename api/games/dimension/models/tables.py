"""A table of Dimension as clients see it, and what they ask of it.

Seats, layouts and card codes are those of docs/notation.md.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from api.games.dimension.models.asked import CardCode, Color, LayoutText, SeatName
from api.games.dimension.models.disputes import Dispute
from api.games.dimension.models.trays import CoinCount, TrayState
from api.models.asked import Asked, FreeText
from api.models.tables import (
    GameOverFrame,
    LockedFrame,
    OpeningRequest,
    RoundFrame,
    SoloComparison,
    TableFrame,
    TableSettingsBase,
)
from rules.dimension.rulings import Rulings


class RulingChoices(Asked):
    """How the table decides what the books leave open (see contracts); defaults first."""

    lone_touch: Literal["fulfilled", "failed"] = "fulfilled"
    exactly_pair: Literal["both", "joint"] = "both"
    total: Literal["negative", "floor"] = "negative"
    contradiction: Literal["pair", "unsatisfiable"] = "pair"

    def rulings(self) -> Rulings:
        """The same for the rules engine."""
        return Rulings(**self.model_dump())


class TableSettings(TableSettingsBase):
    """How a table plays."""

    game: Literal["dimension"] = "dimension"
    edition: Literal["en", "de"] = "en"
    cards_per_round: Literal[6, 8] = 6
    without: tuple[Literal["exactly", "more_sum4"], ...] = Field((), max_length=2)
    put_back: bool = Field(False, description="cards that contradict go under the stack")
    rulings: RulingChoices = RulingChoices()
    hourglass_s: int = Field(60, ge=1, le=3600)
    deck: tuple[CardCode, ...] | None = Field(
        None, max_length=200, description="a box of one's own; none: the standard deck"
    )


class TableRequest(TableSettings, OpeningRequest):
    """A new table: how it plays, and who."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "example": {"game": "dimension", "edition": "en", "players": ["Ada", "Ben"]}
        },
    )


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


class RoundState(RoundFrame):
    """A round: its cards, its hourglass, everybody's tray."""

    cards: list[str]
    put_back: list[str]
    contradictions: list[tuple[str, str]] = Field(
        description="pairs of cards that no layout with both colours meets together"
    )
    hourglass: Hourglass
    trays: dict[str, TrayState] = Field(description="by player, as far as sent in")
    missing: list[str] = Field(description="players whose tray is still to come or to complete")
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


class Result(BaseModel):
    """How the game ended."""

    scores: list[FinalScoreState] = Field(description="best first")
    winners: list[str]
    tie: Literal["none", "bonus_tokens", "shared"] = Field(
        description="bonus_tokens: equal totals, more tokens won; shared: several won"
    )
    solo: SoloComparison | None


class TableState(TableFrame):
    """All there is to show. ``version`` is the ledger's length and the ETag."""

    settings: TableSettings
    rounds: list[RoundState]
    standings: list[Standing]
    handovers: list[HandoverState] = Field(description="what is to be handed over now")
    disputes: list[Dispute]
    result: Result | None


class Locked(LockedFrame):
    """A round is locked: its trays can only be changed by a dispute now."""

    standings: list[Standing]
    handovers: list[HandoverState]


class GameOver(GameOverFrame):
    """The game is finished."""

    result: Result
