"""The service about itself, on the wire."""

from typing import Literal

from pydantic import BaseModel, Field


class Health(BaseModel):
    """How the service is."""

    status: Literal["ready"] = Field(description="it answers")
    readers: int = Field(description="workers that are warm")
    readers_wanted: int
    waiting: int = Field(description="jobs that wait for a worker")
    cameras: int = Field(description="live cameras")
    data: Literal["unchecked", "sound", "damaged"] = Field(
        "unchecked", description="what the last check of tables and photos found"
    )


class Version(BaseModel):
    """Versions of all that a reading and a score depend on."""

    program: str
    models: dict[str, str] = Field(description="first digits of each model's SHA-256")
    trays: dict[str, str] = Field(description="of each tray's profile")
    deck: str
