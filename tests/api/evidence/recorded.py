"""A recorded game with every kind of entry, and what a forger makes of it."""

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

from api.evidence.bundle import FORMAT
from api.evidence.replay import Replay
from api.evidence.verify import Verification, verify_ledger
from api.ledger.chain import Entry, genesis, linked
from calibration.dimension.profile import load_profile
from rules.dimension.game import draw
from tests.api.tables.devices import Device
from tests.api.tables.house import A, At, B, House, form, house, photo
from tests.vision.dimension.readings import make_reading

OTHER = "GWWGBBO/O.K.K./."
"""Ada's tray without the white sphere on top."""
IMPOSSIBLE = "GWWGGGO/O.K.K./W"
"""Four green spheres: a photo may show a neighbour's."""

SEED = 1_000_000_000_000_000_000_000_000_000_008
"""Secret to the players. With it, cards that contradict are drawn and put back."""
BEFORE = {"version": "0.0.9", "code": "0123456789ab"}
"""The program that opened the table, before another one took over."""

Row = dict[str, Any]
Rows = list[Row]


@dataclass(frozen=True)
class Recorded:
    """A game's ledger and bundle."""

    table: str
    text: str
    bundle: bytes

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds of its entries, in order."""
        return [row["kind"] for row in self.rows()]

    def rows(self) -> Rows:
        """Its entries, to be forged."""
        rows: Rows = json.loads(self.text)["entries"]
        return rows

    def forged(self, forge: Callable[[Rows], object]) -> Verification:
        """What is found in the history after somebody changed it and made all hashes right."""
        rows = self.rows()
        forge(rows)
        return self.judged(rows)

    def is_told_on(self, rows: Rows) -> bool:
        """Whether something is found in these entries, linked anew."""
        try:
            entries = [Entry.from_json(row) for row in relinked(self.table, rows)]
        except ValueError:  # they are no entries any more
            return True
        return next(Replay(self.table, entries).problems(), None) is not None

    def judged(self, rows: Rows) -> Verification:
        """What is found in these entries, linked anew."""
        told = {"format": FORMAT, "table": self.table, "entries": relinked(self.table, rows)}
        return verify_ledger(json.dumps(told))


def relinked(table: str, rows: Sequence[Row]) -> Rows:
    """The entries numbered and hashed from the beginning, as who runs the service can."""
    made, previous = list[Row](), genesis(table)
    for number, row in enumerate(rows, 1):
        bound = linked(Entry.from_json({**row, "sequence": number}), previous)
        made.append(bound.to_json())
        previous = bound.hash
    return made


def first(rows: Rows, kind: str, **told: Any) -> Row:
    """The first entry of a kind whose body says this."""
    return next(
        row
        for row in rows
        if row["kind"] == kind and all(row["body"].get(k) == v for k, v in told.items())
    )


def copied(row: Row) -> Row:
    """The same entry once more."""
    return deepcopy(row)


def record(directory: Path) -> Recorded:
    """Play the game."""
    with house(directory) as at:
        tables = at.client.app.state.tables  # type: ignore[attr-defined]
        ours, tables.program = tables.program, BEFORE
        with patch("api.tables.joining.secrets.randbits", return_value=SEED):
            host = at.open("Ada", "Ben", unresolved="opponents", put_back=True)
        tables.program = ours
        _play(at, host)
        ledger = host.do("/ledger", method="GET")
        return Recorded(host.id, json.dumps(ledger), host.ask("GET", "/evidence.zip").content)


def _play(at: House, host: At) -> None:
    later(at)
    ada, ben = _seated(at, host)
    later(at)
    start = at.readers.start(photo(900), load_profile("disc"))
    assert host.ask("POST", "/tray", files=form(start)).status_code == 200
    later(at)
    ben.do("/players/Ben/tray", {"tray": "pentagon"})
    for number in range(1, 7):
        _play_round(at, number, host, ada, ben)
    _dispute(at, host, ada, ben)
    later(at)
    host.do("/finish")


def later(at: House, seconds: float = 5.0) -> None:
    """Time goes by."""
    at.clock.at += seconds


def _seated(at: House, host: At) -> tuple[At, At]:
    """Ben sets a PIN of his own before he loses his phone."""
    ada = host.joined("Ada")
    later(at)
    ben = host.joined("Ben")
    later(at)
    ben.do("/players/Ben/pin", {"pin": "2222"})
    later(at)
    made = host.do("/players/Ben/token")["player_token"]
    return ada, At(at, host.id, host.code, made)


def _play_round(at: House, number: int, host: At, ada: At, ben: At) -> None:
    later(at, 30)
    host.reveal(None if number != 2 else _next_cards(at, host))
    later(at)
    if number <= 2:
        host.do(f"/rounds/{number}/hourglass", {"action": "start"})
        later(at, 40 if number == 1 else 70)
        if number == 1:
            host.do(f"/rounds/{number}/hourglass", {"action": "stop"})
    later(at)
    if number == 1:
        ada.photographed(1, "Ada", A, photo(901), doubts={"A": 0.6}, alternatives={OTHER: 0.3})
    elif number == 2:
        ada.photographed(2, "Ada", IMPOSSIBLE, photo(902))
        later(at)
        ada.do("/rounds/2/trays/Ada", {"seats": {"R3": "B"}}, method="PATCH")
    else:
        ada.submit(number, "Ada", A)
    later(at)
    ben.submit(number, "Ben", B)
    if number == 3:
        later(at)
        asked = {"seats": {"C": "W"}, "reason": "It is white."}
        ben.do("/rounds/3/trays/Ben", asked, method="PATCH")
    later(at)
    _lock(at, number, host, ben)


def _lock(at: House, number: int, host: At, ben: At) -> None:
    """Two devices take part in the first two seals; in the second one stays silent."""
    phones = [Device(host), Device(ben)] if number <= 2 else []
    for phone in phones:
        phone.commit(number)
    host.lock(number)
    for phone in phones[: 3 - number]:
        later(at, 1)
        phone.tell(number)


def _next_cards(at: House, host: At) -> list[str]:
    """What would be drawn: always cards that are still in the stack."""
    game = host.house.client.app.state.tables.look(host.id, host.token).record.state  # type: ignore[attr-defined]
    return list(draw(game, at.clock.at).cards)


def _dispute(at: House, host: At, ada: At, ben: At) -> None:
    later(at)
    ben.do("/disputes", {"round": 1, "player": "Ada", "seat": "A", "text": "No white."})
    later(at)
    more = at.readers.show(photo(903), make_reading(A, alternatives={OTHER: 0.4}))
    assert ada.ask("POST", "/disputes/1/photos", files=form(more)).status_code == 200
    later(at)
    ada.do("/disputes/1/consent", {"layout": OTHER})
    later(at)
    host.do("/disputes/1/consent", {"layout": OTHER, "player": "Ben", "pin": "2222"})
    later(at)
    ben.do("/disputes/1/resolve", {"outcome": "corrected"})
    card = host.state()["rounds"][2]["cards"][0]
    later(at)
    ben.do("/disputes", {"round": 3, "player": "Ada", "card": card})
    later(at)
    host.do("/disputes/2/resolve", {"outcome": "upheld", "player": "Ben", "pin": "2222"})
    later(at)
    host.do("/disputes", {"round": 1, "player": "Ada", "seat": "A"})
    later(at)
    host.do("/disputes/3/resolve", {"outcome": "unresolved"})
