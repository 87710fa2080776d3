"""Disputes as clients see them, and what they ask of them."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from api.models.asked import Asked, CardCode, FreeText, LayoutText, Pin, PlayerName, SeatName
from api.models.scores import DoubtBody, VerdictBody
from api.models.trays import PhotoState, ReadingBrief

Outcome = Literal["upheld", "corrected", "unresolved"]


class DisputeRequest(Asked):
    """A doubt about a player's tray: about a card's verdict, or about what lies on a seat."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"example": {"round": 1, "player": "Ada", "card": "touch:BK"}},
    )

    round: int = Field(ge=1, le=6)
    player: PlayerName = Field(description="whose tray it is")
    card: CardCode | None = None
    seat: SeatName | None = None
    text: FreeText = ""

    @model_validator(mode="after")
    def _about_one_thing(self) -> "DisputeRequest":
        if (self.card is None) == (self.seat is None):
            raise ValueError("a dispute is about a card or about a seat: give one of them")
        return self


class ConsentRequest(Asked):
    """What a player holds to lie on the tray. Owner and an opponent who say the same agree."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"example": {"layout": "OKBGGWB/K.B.O./K"}},
    )

    layout: LayoutText
    player: PlayerName | None = Field(
        None, description="who consents by PIN; none: the token's own"
    )
    pin: Pin | None = None


class ResolutionRequest(Asked):
    """How a dispute ends.

    ``corrected``: owner and an opponent consented to another layout. ``upheld``: who opened it
    withdraws it, or owner and an opponent consented to the layout as it is. ``unresolved``: they
    do not agree, and the table's setting decides.
    """

    outcome: Outcome
    player: PlayerName | None = Field(
        None, description="who withdraws by PIN; none: the token's own"
    )
    pin: Pin | None = None


class ConsentState(BaseModel):
    """What a player said lies on the tray; a later word replaces an earlier one."""

    player: str
    layout: str
    at: float
    by: Literal["token", "pin"]
    made_by: Literal["host", "player"] | None = Field(
        None, description="who made that token or PIN; None: an old history does not tell"
    )
    on: str = Field("", description="whose device it was said on: host, or player:NAME")
    own: bool = Field(True, description="the player's own word; else the host's device spoke")


class Agreement(BaseModel):
    """The layout that the tray's owner and enough others consented to."""

    layout: str
    players: list[str]


class Dispute(BaseModel):
    """A dispute: what it is about, what the evidence says, who agreed to what, how it ended."""

    id: int
    status: Literal["open", "upheld", "corrected", "unresolved"]
    round: int
    player: str
    card: str | None
    seat: str | None
    text: str
    opened_at: float
    opened_by: str
    resolved_at: float | None
    resolved_by: str | None
    layout_before: str
    layout_after: str | None
    points_before: int
    points_after: int | None
    photos: list[PhotoState] = Field(description="the tray's own first, then those added")
    reading: ReadingBrief | None = Field(description="of all photos together")
    doubt: DoubtBody | None
    verdict: VerdictBody | None = Field(description="of the disputed card, as it stands")
    hangs_on: list[str] = Field(description="seats that the verdict hangs on, or the disputed one")
    advice: str = Field(description="which view would settle it")
    crop: str | None = Field(description="where the picture of what is disputed is, enlarged")
    overlay: str | None = Field(description="where the photo with its reading drawn on it is")
    consents: list[ConsentState]
    agreement: Agreement | None
    favoured: Literal["owner", "opponents"] | None = Field(description="if it ended unresolved")
    spoken_for: list[str] = Field([], description="for whom the host's device agrees, or did")
