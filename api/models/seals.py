"""Seals as clients see them: the six words, the devices that took part, and the chain to check."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.models.asked import Asked

Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
DeviceId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]

_DEVICE = "0123456789abcdef0123456789abcdef"


class CommitmentRequest(Asked):
    """A device commits to a random number before the history is sealed.

    The commitment is the SHA-256 of five lines: `trayscore commitment/1`, table, seal, device and
    number, with a line feed between two.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"example": {"device": _DEVICE, "commitment": "ab" * 32}},
    )

    device: DeviceId = Field(description="128 random bits by which the device is known here")
    commitment: Hash


class NonceRequest(Asked):
    """A device tells the number that it committed to."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"example": {"device": _DEVICE, "nonce": "cd" * 32}},
    )

    device: DeviceId
    nonce: Hash = Field(description="256 random bits in hexadecimal digits")


class SealState(BaseModel):
    """A seal. Its words depend on the sealed history and on the devices' random numbers."""

    number: int = Field(description="of the round that it locks; 7 seals the end of the game")
    head: str | None = Field(description="hash of the sealing entry; none before")
    devices: int = Field(description="devices that committed to a number; 0: words of the head")
    told: int = Field(description="devices whose numbers are in the words")
    words: str | None = Field(description="six words; none while numbers are waited for")


class Chain(BaseModel):
    """Entries as they are hashed: SHA-256 of each text is the next one's `previous`."""

    table: str
    length: int
    head: str
    after: int
    entries: list[str] = Field(description="canonical JSON texts, at most 200 at once")
