"""Whose word it is: a player's own, or one that the host could have given for them.

The host may be any of the players, so the host is held to be party to every dispute. A token that
the host issued again, or a PIN that the host set, speaks on the host's device for the player; it is
never the player's own consent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from api.problems import Problem
from api.tables.access import Actor
from api.tables.dispute_record import Consent, DisputeRecord, Maker
from api.tables.record import Record

Means = Literal["token", "pin"]


@dataclass(frozen=True)
class Voice:
    """A player who has shown who they are, by what, and who made that."""

    player: str
    means: Means
    made_by: Maker


def token_maker(record: Record, actor: Actor) -> Maker:
    """Who made the token that somebody acts with."""
    return "host" if actor.player is None else record.joined.get(actor.player, "host")


def voice(record: Record, actor: Actor, player: str, means: Means) -> Voice:
    """The voice of a player who has shown their token or their PIN."""
    maker = token_maker(record, actor) if means == "token" else record.pins[player]
    return Voice(player, means, maker)


def refuse_other_voice(record: Record, actor: Actor, shown: Voice) -> None:
    """Raise ``Problem`` unless this player can speak so now: a PIN or a token may be new since."""
    if shown.means == "token" and actor.player != shown.player:
        raise Problem(403, "pin_needed", f"{shown.player} speaks by PIN on another's device.")
    if shown.means == "pin" and shown.player not in record.pins:
        raise Problem(409, "no_pin", f"{shown.player} has not set a PIN.")
    if voice(record, actor, shown.player, shown.means) != shown:
        raise Problem(
            409, "stale", f"The PIN or the token of {shown.player} has changed meanwhile."
        )


def pin_maker(record: Record, actor: Actor, player: str) -> Maker:
    """Who makes a PIN that is set now: whoever made the old one, if that has to be shown."""
    if needs_old_pin(record, actor, player):
        return record.pins[player]
    return token_maker(record, actor)


def needs_old_pin(record: Record, actor: Actor, player: str) -> bool:
    """Whether a PIN is changed only by who knows it: not by a token that the host made."""
    if player not in record.pins:
        return False
    own = actor.player == player and token_maker(record, actor) == "player"
    return not own and (actor.player != player or record.pins[player] == "player")


def refuse_speaking_over(dispute: DisputeRecord, voice: Voice) -> None:
    """Raise ``Problem`` if the host's device would replace what a player said themselves."""
    before = dispute.consents.get(voice.player)
    if before is not None and is_own(before) and voice.made_by == "host":
        text = (
            f"{voice.player} has spoken on a device or with a PIN of their own: "
            "only there, or with that PIN, can they say something else."
        )
        raise Problem(409, "own_word_stands", text)


def is_own(consent: Consent) -> bool:
    """Whether it is the player's own word. Histories of the beginning do not tell."""
    return consent.made_by != "host"


def spoken_for(
    record: Record, owner: str, consents: Mapping[str, Consent]
) -> tuple[str, ...] | None:
    """For whom the host's device speaks in an agreement of these; None if it is no agreement.

    Owner and an opponent (alone: the owner) agree by words of their own. The host's device speaks
    for who never had a device or a PIN of their own, if all who ever had one say the same
    themselves: then nobody is spoken over, and a table with one tablet is not stuck.
    """
    own = {player for player, given in consents.items() if is_own(given)}
    enough = 1 if len(record.players) == 1 else 2
    if owner in own and len(own) >= enough:
        return ()
    speechless = set(consents) - own - record.own_means
    heard = own | speechless
    if owner in heard and len(heard) >= enough and record.own_means <= own:
        return tuple(player for player in record.players if player in speechless)
    return None


def may_withdraw(dispute: DisputeRecord, actor: Actor, voice: Voice | None) -> bool:
    """Whether this is who opened the dispute, by means as good as they opened it with."""
    if dispute.by == str(actor) == "host":
        return True
    if voice is None or dispute.by != f"player:{voice.player}":
        return False
    return dispute.made_by != "player" or voice.made_by == "player"
