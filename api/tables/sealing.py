"""Seals: devices commit to random numbers, tell them once the history is sealed, words are made."""

from api.ledger.seals import commitment as committed_to
from api.ledger.seals import last_seal
from api.problems import Problem
from api.tables.access import Actor
from api.tables.draft import Draft
from api.tables.record import Record

TOLD_WITHIN_S = 10.0
"""So long the words wait for devices that do not tell their number: asleep, or gone."""

MOST_DEVICES = 4
"""Of one player or host that take part in a seal: each one that stays silent leaves a choice to
whoever runs it."""


def coming_seal(record: Record) -> int | None:
    """The number of the next seal; None when the game is over."""
    if record.state.finished:
        return None
    sealed = sum(play.seal is not None for play in record.plays)
    return min(sealed + 1, last_seal(record.game.rounds))


def commit(record: Record, actor: Actor, seal: int, device: str, commitment: str) -> Draft | None:
    """A device takes part in the coming seal; None if it does already."""
    known_seal(record, seal)
    sealing = record.sealing(seal)
    before = sealing.share_of(device)
    if before is not None and before.commitment == commitment:
        return None
    if sealing.hash is not None:
        raise Problem(409, "sealed", f"Seal {seal} is made: the device is too late to take part.")
    if before is not None:
        text = f"This device has committed to another number for seal {seal}."
        raise Problem(409, "already_committed", text)
    shares = [share for known in record.sealings.values() for share in known.shares]
    if any(share.commitment == commitment for share in shares):
        text = "Another device or seal has this commitment: choose a new random number."
        raise Problem(409, "commitment_known", text)
    if sum(share.actor == str(actor) for share in sealing.shares) >= MOST_DEVICES:
        text = f"At most {MOST_DEVICES} devices of a player take part in a seal."
        raise Problem(409, "too_many_devices", text)
    body = {"seal": seal, "device": device, "commitment": commitment}
    return Draft("share_committed", body)


def tell(record: Record, seal: int, device: str, nonce: str) -> Draft | None:
    """A device tells its number, once the history is sealed; None if it has already."""
    known_seal(record, seal)
    sealing = record.sealing(seal)
    share = sealing.share_of(device)
    if share is None:
        raise Problem(404, "no_commitment", f"This device takes no part in seal {seal}.")
    if committed_to(record.table, seal, device, nonce) != share.commitment:
        raise Problem(422, "wrong_nonce", "This is not the number that the device committed to.")
    if sealing.hash is None:
        text = f"Seal {seal} is not made yet: the number stays secret until then."
        raise Problem(409, "not_sealed", text)
    if share.nonce is not None:
        return None
    if sealing.closed:
        text = f"The words of seal {seal} were made without this device: it came too late."
        raise Problem(409, "words_closed", text)
    return Draft("share_told", {"seal": seal, "device": device, "nonce": nonce})


def overdue(record: Record, now: float) -> list[Draft]:
    """Words for which no silent device is waited any longer."""
    return [
        Draft("words_closed", {"seal": seal, "devices": len(sealing.shares), "told": sealing.told})
        for seal, sealing in sorted(record.sealings.items())
        if sealing.hash is not None and not sealing.complete and now >= sealing.at + TOLD_WITHIN_S
    ]


def known_seal(record: Record, seal: int) -> None:
    """Raise ``Problem`` unless this seal was made or is the coming one."""
    if seal > (coming_seal(record) or last_seal(record.game.rounds)):
        raise Problem(404, "no_seal", f"Seal {seal} is not the coming one yet.")
