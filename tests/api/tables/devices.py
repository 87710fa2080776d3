"""Devices that take part in seals, as the page does it in JavaScript."""

from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_hex
from typing import Any

from api.ledger.seals import commitment
from tests.api.tables.house import At, Response


@dataclass
class Device:
    """A phone that is known at a table."""

    at: At
    id: str = field(default_factory=lambda: token_hex(16))
    nonces: dict[int, str] = field(default_factory=dict)

    def share(self, seal: int) -> tuple[str, str]:
        """Commitment and number of this device for a seal."""
        nonce = self.nonces[seal]
        return commitment(self.at.id, seal, self.id, nonce), nonce

    def ask_commit(self, seal: int) -> Response:
        """The answer to a commitment to a number for this seal."""
        self.nonces.setdefault(seal, token_hex(32))
        asked = {"device": self.id, "commitment": self.share(seal)[0]}
        return self.at.ask("POST", f"/seals/{seal}/commitment", json=asked)

    def commit(self, seal: int) -> Any:
        """The seal, in which this device takes part now."""
        answer = self.ask_commit(seal)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ask_tell(self, seal: int, nonce: str | None = None) -> Response:
        """The answer to the number."""
        asked = {"device": self.id, "nonce": nonce or self.nonces[seal]}
        return self.at.ask("POST", f"/seals/{seal}/nonce", json=asked)

    def tell(self, seal: int) -> Any:
        """The seal, with the number of this device."""
        answer = self.ask_tell(seal)
        assert answer.status_code == 200, answer.text
        return answer.json()


def chained(at: At, after: int = 0, previous: str | None = None) -> tuple[int, str]:
    """How long the history is and its head, as a device finds out that trusts nobody."""
    told = at.do(f"/chain/{after}", method="GET")
    head = previous or sha256(f"trayscore table {at.id}".encode()).hexdigest()
    for text in told["entries"]:
        assert f'"previous":"{head}"' in text
        head = sha256(text.encode()).hexdigest()
    assert (told["length"], told["head"]) == (after + len(told["entries"]), head)
    return told["length"], head
