"""By which profile a tray is read: what choosing or measuring one adds to the history."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api.problems import Problem
from api.profiles import version_of
from api.tables.access import Actor
from api.tables.draft import Draft
from api.tables.play import known_player
from api.tables.record import Record

_DIGITS = 12


@dataclass(frozen=True)
class Measured:
    """A profile, and what it was measured from if it was."""

    profile: Mapping[str, Any]
    """As it is written."""
    warnings: tuple[str, ...] = ()
    photos: tuple[str, ...] = ()
    reading: Mapping[str, Any] | None = None


def measured_name(photos: tuple[str, ...]) -> str:
    """What a profile measured from these photos is called."""
    return f"start-{photos[0][:_DIGITS]}"


def set_tray(record: Record, actor: Actor, player: str | None, measured: Measured | None) -> Draft:
    """Photos of this player's tray, or of all, are read by this profile from now on."""
    refuse(record, actor, player)
    body: dict[str, Any] = {
        "player": player,
        "tray": None,
        "version": None,
        "profile": None,
        "warnings": [],
        "reading": None,
    }
    if measured is None:
        return Draft("tray_set", body)
    profile = measured.profile
    body |= {
        "tray": profile["name"],
        "version": version_of(profile),
        "profile": profile,
        "warnings": list(measured.warnings),
        "reading": measured.reading,
    }
    return Draft("tray_set", body, measured.photos)


def refuse(record: Record, actor: Actor, player: str | None) -> None:
    """Raise ``Problem`` if this actor cannot set the profile for this player, or for all, now."""
    if player is None:
        actor.hosts()
    else:
        known_player(record, player)
        actor.acts_for(player)
    if record.state.finished:
        raise Problem(409, "finished", "The game is over already.")
    for dispute in record.disputes:
        if dispute.settled is None and player in (None, dispute.player):
            text = (
                f"Dispute {dispute.id} about the tray of {dispute.player} is open: until it is "
                "resolved, its photos are read as before."
            )
            raise Problem(409, "dispute_open", text)
