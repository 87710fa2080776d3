"""Disputes in any game as clients see them, and what they ask of them."""

from typing import Literal

from pydantic import BaseModel, Field

from api.models.asked import Asked, FreeText, Pin, PlayerName
from api.models.submissions import PhotoState

Outcome = Literal["upheld", "corrected", "unresolved"]


class DisputeAsked(Asked):
    """A doubt about what a player sent in; each game says what it can be about."""

    round: int = Field(ge=1)
    player: PlayerName = Field(description="whose it is")
    text: FreeText = ""


class ConsentAsked(Asked):
    """What a player holds to be right. Owner and an opponent who say the same agree."""

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


class ConsentFrame(BaseModel):
    """What a player said in a dispute; a later word replaces an earlier one."""

    player: str
    at: float
    by: Literal["token", "pin"]
    made_by: Literal["host", "player"] | None = Field(
        None, description="who made that token or PIN; None: an old history does not tell"
    )
    on: str = Field("", description="whose device it was said on: host, or player:NAME")
    own: bool = Field(True, description="the player's own word; else the host's device spoke")


class DisputeFrame(BaseModel):
    """What every game shows of a dispute: who agreed to what, how it ended."""

    id: int
    status: Literal["open", "upheld", "corrected", "unresolved"]
    round: int
    player: str
    text: str
    opened_at: float
    opened_by: str
    resolved_at: float | None
    resolved_by: str | None
    points_before: int
    points_after: int | None
    photos: list[PhotoState] = Field(description="its own first, then those added")
    hangs_on: list[str] = Field(description="what the verdict hangs on, or what is disputed")
    advice: str = Field(description="what would settle it")
    crop: str | None = Field(description="where the picture of what is disputed is, enlarged")
    overlay: str | None = Field(description="where the photo with its reading drawn on it is")
    favoured: Literal["owner", "opponents"] | None = Field(description="if it ended unresolved")
    spoken_for: list[str] = Field([], description="for whom the host's device agrees, or did")
