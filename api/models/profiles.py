"""Tray profiles on the wire: the format of their files."""

from pydantic import BaseModel, ConfigDict, Field


class ProfileBody(BaseModel):
    """A tray's measures in millimetres, its outline and its colours, as far as they are known."""

    model_config = ConfigDict(extra="allow")

    name: str
    version: int
    scale: str = Field(description="assumed: nobody measured a sphere, lengths are relative")
    sphere_mm: float
    pitch_mm: float
    hole_mm: float
    ring0_deg: float
    slot_radius_mm: float
    slot0_deg: float
    slot_step_mm: float


class MeasuredBody(ProfileBody):
    """A profile just measured, with what should be known about it."""

    warnings: list[str] = []


class TrayEntry(BaseModel):
    """A tray by name."""

    name: str
    built_in: bool


class TraysAnswer(BaseModel):
    """All trays that readings can be asked for by name."""

    trays: list[TrayEntry]
