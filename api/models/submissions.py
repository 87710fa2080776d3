"""What players send in, in any game, and the profiles by which photos of it are read."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from api.models.asked import Asked, TrayName


class PhotoState(BaseModel):
    """A photo that is kept, its location data removed; ``url`` wants the token too."""

    sha256: str
    media_type: str
    bytes: int
    url: str


class TrayChoiceRequest(Asked):
    """A tray profile by name, as ``GET /v1/trays`` lists them."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"example": {"tray": "disc"}}
    )

    tray: TrayName | None = Field(
        description="null: for a player the table's again, for the table the built-in ones"
    )


class TrayInUse(BaseModel):
    """The tray profile by which photos of a player's tray are read."""

    name: str | None = Field(description="null: the built-in ones are tried")
    version: str | None = Field(description="a hash of all that the profile says, once it is known")
    own: bool = Field(description="set for this player; otherwise the table's")
    set_at: float | None
    set_by: str | None
    start_photos: list[PhotoState] = Field(description="what it was measured from, if it was")


class CorrectionState(BaseModel):
    """A change of a tray after it was sent in."""

    at: float
    actor: str
    before: str
    after: str
    reason: str
    dispute: int | None


class SubmissionFrame(BaseModel):
    """What every game shows of what a player sent in."""

    player: str
    by: Literal["photo", "hand"]
    sender: str
    submitted_at: float
    late: bool
    photos: list[PhotoState]
    overlay: str | None = Field(description="where the photo with its reading drawn on it is")
    corrections: list[CorrectionState]
