"""What requests are made of: names, texts, seats and PINs, checked as they come in."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

PlayerName = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=40, pattern=r"^[^/\\\x00-\x1f\x7f]+$"
    ),
]
"""A name that can stand in a path; two players of a table need different ones."""

TrayName = Annotated[str, StringConstraints(max_length=80)]
CardCode = Annotated[str, StringConstraints(min_length=1, max_length=20)]
LayoutText = Annotated[str, StringConstraints(max_length=40)]
FreeText = Annotated[
    str, StringConstraints(max_length=400, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")
]
Pin = Annotated[str, StringConstraints(pattern=r"^[0-9]{4,8}$")]
Color = Literal["O", "B", "G", "K", "W", "."]
SeatName = Literal["C", "R0", "R1", "R2", "R3", "R4", "R5", "T0", "T1", "T2", "T3", "T4", "T5", "A"]


class Asked(BaseModel):
    """A request: fields that nobody knows are refused, so that no spelling mistake goes unseen."""

    model_config = ConfigDict(extra="forbid", frozen=True)
