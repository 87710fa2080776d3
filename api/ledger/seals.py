"""The six words of a seal, and what the players' devices give to them.

A history is sealed when a round is locked and when the game ends. Before, each device commits to a
random number of its own; afterwards it tells it. The words depend on the history as it was sealed
and on all numbers told, so nobody can look for two histories with the same words: whoever writes a
history does not know the numbers until it is sealed. docs/trust.md has the argument.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import pbkdf2_hmac, sha256
from types import MappingProxyType

from api.ledger.chain import Entry
from api.ledger.fingerprint import fingerprint

_ROUNDS = 2**15
"""How often words are hashed: to find another history for given words takes 2⁶⁰ times as long.
A phone without ``crypto.subtle`` needs about a tenth of a second for it."""


@dataclass(frozen=True)
class Share:
    """A device's part in a seal: the number it committed to, and told or not."""

    device: str
    actor: str
    commitment: str
    nonce: str | None = None


@dataclass(frozen=True)
class Sealing:
    """A seal on its way: who takes part, the entry that sealed the history, who told."""

    shares: tuple[Share, ...] = ()
    """In the order of the history."""
    hash: str | None = None
    """Of the entry that sealed the history."""
    sequence: int = 0
    at: float = 0.0
    closed: bool = False
    """Whether the words were made without the numbers that are missing."""

    def share_of(self, device: str) -> Share | None:
        """The part of a device; None if it has none."""
        return next((share for share in self.shares if share.device == device), None)

    def with_share(self, changed: Share) -> "Sealing":
        """The sealing with a device's part added, or replaced."""
        if self.share_of(changed.device) is None:
            return replace(self, shares=(*self.shares, changed))
        shares = [changed if one.device == changed.device else one for one in self.shares]
        return replace(self, shares=tuple(shares))

    @property
    def told(self) -> int:
        """How many devices told their numbers: they took part."""
        return sum(share.nonce is not None for share in self.shares)

    @property
    def complete(self) -> bool:
        """Whether the words can be made: nothing that may still come changes them."""
        return self.hash is not None and (self.closed or self.told == len(self.shares))

    @property
    def words(self) -> str | None:
        """The six words; None as long as they cannot be made."""
        if self.hash is None or not self.complete:
            return None
        return seal_words(self.hash, ((one.commitment, one.nonce) for one in self.shares))


def last_seal(rounds: int) -> int:
    """The number of the seal at the end of a game: the others are numbered as the rounds."""
    return rounds + 1


def sealings_after(
    sealings: Mapping[int, Sealing], entry: Entry, last: int
) -> Mapping[int, Sealing]:
    """All seals by number after an entry; raises ``ValueError`` for a number out of nowhere.

    ``last`` is the number of the seal at the end of the game.
    """
    if entry.kind not in _NUMBER:
        return sealings
    body = entry.body
    number = last if entry.kind == "game_finished" else body[_NUMBER[entry.kind]]
    before = sealings.get(number, Sealing())
    if entry.kind == "share_committed":
        after = before.with_share(Share(body["device"], entry.actor, body["commitment"]))
    elif entry.kind == "share_told":
        share = before.share_of(body["device"])
        if share is None:
            raise ValueError("A device told a number that it had not committed to.")
        after = before.with_share(replace(share, nonce=body["nonce"]))
    elif entry.kind == "words_closed":
        after = replace(before, closed=True)
    else:
        after = replace(before, hash=entry.hash, sequence=entry.sequence, at=entry.at)
    return MappingProxyType({**sealings, number: after})


_NUMBER = {
    "share_committed": "seal",
    "share_told": "seal",
    "words_closed": "seal",
    "round_locked": "round",
    "game_finished": "",
}
"""Under which name an entry says which seal it is about; the end of the game needs none."""


@dataclass(frozen=True)
class SealWords:
    """A seal as people compare it: the words, and how many devices took part in them."""

    number: int
    words: str
    devices: int
    told: int
    ends_game: bool = False

    @property
    def of_what(self) -> str:
        """What it seals."""
        return "The end of the game" if self.ends_game else f"Round {self.number}"

    @property
    def took_part(self) -> str:
        """A sentence about the devices."""
        if not self.devices:
            return "No device took part: these words bind less."
        if self.devices == self.told == 1:
            return "One device took part."
        return f"{self.told} of {self.devices} devices took part."


def words_of(sealings: Mapping[int, Sealing], last: int) -> tuple[SealWords, ...]:
    """All seals with the words that devices showed. Words still waited for are left out."""
    return tuple(
        SealWords(number, words, len(one.shares), one.told, number == last)
        for number, one in sorted(sealings.items())
        if (words := one.words) is not None
    )


def commitment(table: str, seal: int, device: str, nonce: str) -> str:
    """What a device shows of its number beforehand; it fits one seal of one table only."""
    bound = f"trayscore commitment/1\n{table}\n{seal}\n{device}\n{nonce}"
    return sha256(bound.encode()).hexdigest()


def seal_words(sealed: str, shares: Iterable[tuple[str, str | None]]) -> str:
    """The six words for the hash of the sealing entry, with commitments and numbers in order.

    Without any device they are those of the hash itself, as they were before there were shares.
    """
    rows = tuple(f"{committed} {nonce or '-'}" for committed, nonce in shares)
    return fingerprint(_slow_hash("\n".join((sealed, *rows)))) if rows else fingerprint(sealed)


@lru_cache(maxsize=1024)
def _slow_hash(text: str) -> str:
    return pbkdf2_hmac("sha256", text.encode(), b"trayscore words/1", _ROUNDS).hex()
