"""An entry to be judged."""

from dataclasses import dataclass

from api.evidence.told import Told
from api.ledger.chain import Entry
from api.tables.access import Actor
from api.tables.play import TrayPlace
from api.tables.record import Record


@dataclass(frozen=True)
class Deed:
    """An entry to be judged: what the table was before it, who did it, and what it says."""

    record: Record
    actor: Actor
    entry: Entry
    seed_known: bool = True
    """Whether the history tells the seed that was drawn by."""

    @property
    def body(self) -> Told:
        """What the entry says, each part of the type that it should be."""
        return Told(self.entry.body)

    @property
    def place(self) -> TrayPlace:
        """Whose submission it is about, in which round."""
        return TrayPlace(self.record.table, self.body.number("round"), self.body.text("player"))
