"""Invitations on the wire."""

from pydantic import BaseModel, Field


class Invitation(BaseModel):
    """Where a player's own phone joins a table. It holds the code that joins, never a token."""

    url: str = Field(description="the page's address, with the table's code")
    svg: str = Field(description="the same as a QR code: dark on light, with its quiet zone")
    reachable: bool = Field(description="false: only this computer can open it")
