"""What requests about a tray are made of: layouts, seats, colours, cards."""

from typing import Annotated, Literal

from pydantic import StringConstraints

CardCode = Annotated[str, StringConstraints(min_length=1, max_length=20)]
LayoutText = Annotated[str, StringConstraints(max_length=40)]
Color = Literal["O", "B", "G", "K", "W", "."]
SeatName = Literal["C", "R0", "R1", "R2", "R3", "R4", "R5", "T0", "T1", "T2", "T3", "T4", "T5", "A"]
