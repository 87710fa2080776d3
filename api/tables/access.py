"""Who is at the door: tokens that host or play, PINs that consent, and what each may do."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection

from api.problems import Problem
from api.storage import tables
from api.storage.tables import TableRow
from api.tables.secrets import hashed, same

PIN_TRIES = 5
PIN_RESTS_S = 600.0
"""After so many wrong PINs, no further one is taken for so long."""


@dataclass(frozen=True)
class Actor:
    """Who a request comes from."""

    role: Literal["host", "player", "service"]
    player: str | None = None

    def __str__(self) -> str:
        return self.role if self.player is None else f"player:{self.player}"

    def hosts(self) -> None:
        """Raise ``Problem`` unless this is the host."""
        if self.role != "host":
            raise Problem(403, "host_only", "Only the host of this table can do this.")

    def acts_for(self, player: str) -> None:
        """Raise ``Problem`` unless this is the player or the host, whose tablet all may share."""
        if self.role != "host" and self.player != player:
            raise Problem(403, "not_your_tray", f"Only {player} or the host can do this.")


SERVICE = Actor("service")


def no_table() -> Problem:
    """The refusal of an id or a code that leads nowhere."""
    return Problem(404, "no_table", "There is no such table: check the code, or open a new one.")


def identify(connection: Connection, table: TableRow, token: str | None) -> Actor:
    """Who holds this token at this table; raises ``Problem`` if it does not belong here."""
    if not token:
        text = "This needs the token of the table's host or of a player."
        raise Problem(401, "no_token", text, headers={"WWW-Authenticate": "Bearer"})
    digest = hashed(token)
    found = Actor("host") if same(table.host_hash, digest) else None
    for player in tables.players(connection, table.id).values():
        if same(player.token_hash, digest):
            found = Actor("player", player.name)
    if found is None:
        text = "This token is not one of this table: join it, or ask the host for a new token."
        raise Problem(403, "wrong_token", text)
    return found


def count_pin(connection: Connection, table: str, player: str, now: float) -> str:
    """The hash to compare a PIN with; this try is counted. Raises ``Problem`` if there were many.

    To be committed before the PIN is compared: whatever comes then, the try was one.
    """
    kept = tables.count_pin(connection, table, player, now, PIN_TRIES, now + PIN_RESTS_S)
    if kept is not None:
        return kept
    row = tables.players(connection, table).get(player)
    if row is None or row.pin_hash is None:
        raise Problem(409, "no_pin", f"{player} has not set a PIN.")
    later = str(int(row.pin_rests_until - now) + 1)
    text = f"Too many wrong PINs for {player}: try again in {later} s."
    raise Problem(429, "pin_rests", text, headers={"Retry-After": later})


def wrong_pin() -> Problem:
    """The refusal of a wrong PIN."""
    return Problem(403, "wrong_pin", "This is not the PIN.")
