"""Sample photos on the wire."""

from typing import Literal

from pydantic import BaseModel, Field

from api.models.texts import TextBody


class SampleEntry(BaseModel):
    """A sample photo."""

    name: str = Field(description="fetched by GET /v1/samples/{name}")
    shows: Literal["tray", "start"] = Field(description="start: for measuring the tray")
    title: TextBody
    cards: list[str] = Field(description="cards to score it by")


class SamplesAnswer(BaseModel):
    """All sample photos."""

    samples: list[SampleEntry]
