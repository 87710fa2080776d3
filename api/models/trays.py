"""A player's tray in a round, as clients see it: layout, reading, verdicts, points."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from api.models.asked import Asked, TrayName
from api.models.profiles import MeasuredBody
from api.models.readings import AlternativeBody, ReadingBody
from api.models.scores import DoubtBody, LayoutProblem, VerdictBody


class CoinCount(BaseModel):
    """So many tokens of a value."""

    value: int
    count: int


class TrayScore(BaseModel):
    """What a tray earns in its round."""

    spheres: int
    verdicts: list[VerdictBody]
    failed: int
    penalty: int
    points: int
    bonus: int
    decisive_rulings: list[str] = Field(description="rulings that would change it if they differed")


class SeatBrief(BaseModel):
    """What a reading says of a seat."""

    color: str | None
    p: float
    how: Literal["seen", "inferred"]
    visible: float
    uv: list[float] = Field(description="its centre, in pixels of the first photo")
    radius: float = Field(description="in pixels of the first photo")


class ReadingBrief(BaseModel):
    """A reading without what lies in storage: every device can draw it on the photo."""

    status: Literal["certain", "uncertain", "no_tray", "bad_image"]
    layout: str | None
    confidence: float | None
    seats: dict[str, SeatBrief]
    alternatives: list[AlternativeBody]
    warnings: list[str]
    message: str


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


class TraySet(BaseModel):
    """The answer to a tray profile that was set, or measured from start photos."""

    version: int
    player: str | None = Field(description="null: for all players")
    tray: TrayInUse
    profile: MeasuredBody | None = Field(description="null: the built-in ones are tried")
    reading: ReadingBody | None = Field(
        description="of the first start photo by what was measured: to be drawn on it"
    )


class CorrectionState(BaseModel):
    """A change of a tray after it was sent in."""

    at: float
    actor: str
    before: str
    after: str
    reason: str
    dispute: int | None


class TrayState(BaseModel):
    """A tray as it counts now, and how it came to that."""

    player: str
    layout: str | None = Field(
        description="null: the photo shows what no tray can hold; correct it, or send it again"
    )
    problems: list[LayoutProblem]
    by: Literal["photo", "hand"]
    sender: str
    submitted_at: float
    late: bool
    photos: list[PhotoState]
    overlay: str | None = Field(description="where the photo with its reading drawn on it is")
    reading: ReadingBrief | None
    doubt: DoubtBody | None
    corrections: list[CorrectionState]
    score: TrayScore | None


class Submission(BaseModel):
    """The answer to a tray sent in. Where no tray was found in the photo, nothing was recorded."""

    version: int
    reading: ReadingBody | None = Field(description="null for a tray entered by hand")
    score: TrayScore | None
    late: bool
    tray: TrayState | None


class Corrected(BaseModel):
    """The answer to a correction."""

    version: int
    score: TrayScore
    tray: TrayState
