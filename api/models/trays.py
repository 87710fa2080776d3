"""A player's tray in a round, as clients see it: layout, reading, verdicts, points."""

from typing import Literal

from pydantic import BaseModel, Field

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
