"""Disputes about a tray as clients see them, and what they ask of them."""

from pydantic import BaseModel, ConfigDict, Field, model_validator

from api.games.dimension.models.asked import CardCode, LayoutText, SeatName
from api.games.dimension.models.scores import DoubtBody, VerdictBody
from api.games.dimension.models.trays import ReadingBrief
from api.models.disputes import ConsentAsked, ConsentFrame, DisputeAsked, DisputeFrame


class DisputeRequest(DisputeAsked):
    """A doubt about a player's tray: about a card's verdict, or about what lies on a seat."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"example": {"round": 1, "player": "Ada", "card": "touch:BK"}},
    )

    round: int = Field(ge=1, le=6)
    card: CardCode | None = None
    seat: SeatName | None = None

    @model_validator(mode="after")
    def _about_one_thing(self) -> "DisputeRequest":
        if (self.card is None) == (self.seat is None):
            raise ValueError("a dispute is about a card or about a seat: give one of them")
        return self


class ConsentRequest(ConsentAsked):
    """What a player holds to lie on the tray. Owner and an opponent who say the same agree."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"example": {"layout": "OKBGGWB/K.B.O./K"}},
    )

    layout: LayoutText


class ConsentState(ConsentFrame):
    """What a player said lies on the tray; a later word replaces an earlier one."""

    layout: str


class Agreement(BaseModel):
    """The layout that the tray's owner and enough others consented to."""

    layout: str
    players: list[str]


class Dispute(DisputeFrame):
    """A dispute: what it is about, what the evidence says, who agreed to what, how it ended."""

    card: str | None
    seat: str | None
    layout_before: str
    layout_after: str | None
    reading: ReadingBrief | None = Field(description="of all photos together")
    doubt: DoubtBody | None
    verdict: VerdictBody | None = Field(description="of the disputed card, as it stands")
    consents: list[ConsentState]
    agreement: Agreement | None
