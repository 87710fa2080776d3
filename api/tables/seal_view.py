"""Seals as every device is told of them; a device makes the words itself from the chain."""

from api.ledger.fingerprint import fingerprint
from api.models.seals import SealState
from api.models.tables import Seal
from api.tables.record import Record


def made_seal(record: Record, number: int) -> Seal | None:
    """A seal with its words; None before it is made."""
    sealing = record.sealing(number)
    if sealing.hash is None:
        return None
    return Seal(
        fingerprint=fingerprint(sealing.hash),
        head=sealing.hash,
        sequence=sealing.sequence,
        devices=len(sealing.shares),
        told=sealing.told,
        words=sealing.words,
    )


def seal_state(record: Record, number: int) -> SealState:
    """A seal, made or coming, and who takes part in it."""
    sealing = record.sealing(number)
    return SealState(
        number=number,
        head=sealing.hash,
        devices=len(sealing.shares),
        told=sealing.told,
        words=sealing.words,
    )
