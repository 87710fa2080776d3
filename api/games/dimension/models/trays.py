"""A player's tray in a round, as clients see it: layout, reading, verdicts, points."""

from typing import Literal

from pydantic import BaseModel, Field

from api.games.dimension.models.readings import AlternativeBody, ReadingBody
from api.games.dimension.models.scores import DoubtBody, LayoutProblem, VerdictBody
from api.models.profiles import MeasuredBody
from api.models.submissions import SubmissionFrame, TrayInUse


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


class TraySet(BaseModel):
    """The answer to a tray profile that was set, or measured from start photos."""

    version: int
    player: str | None = Field(description="null: for all players")
    tray: TrayInUse
    profile: MeasuredBody | None = Field(description="null: the built-in ones are tried")
    reading: ReadingBody | None = Field(
        description="of the first start photo by what was measured: to be drawn on it"
    )


class TrayState(SubmissionFrame):
    """A tray as it counts now, and how it came to that."""

    layout: str | None = Field(
        description="null: the photo shows what no tray can hold; correct it, or send it again"
    )
    problems: list[LayoutProblem]
    reading: ReadingBrief | None
    doubt: DoubtBody | None
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
