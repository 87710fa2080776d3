"""The judge: a card and a layout give a verdict, with the reason and the spheres to point at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rules.dimension import reasons
from rules.dimension.board import (
    LEVEL_ONE,
    TOUCHING,
    carried,
    contacts_between,
    seat_set,
    seats_in,
)
from rules.dimension.cards import Card, Kind, exactly_siblings
from rules.dimension.layout import Layout
from rules.dimension.rulings import Rulings
from rules.texts import Text

Contact = tuple[str, str]


@dataclass(frozen=True)
class Verdict:
    """Whether a card is fulfilled, why, and what shows it.

    For a failed card ``seats`` and ``contacts`` are the culprits; for a fulfilled one they are
    what the eye should check, where there is anything.
    """

    card: Card
    fulfilled: bool
    reason: Text
    seats: tuple[str, ...] = ()
    contacts: tuple[Contact, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The verdict as decoded JSON."""
        return {
            "card": str(self.card),
            "fulfilled": self.fulfilled,
            "reason": self.reason.to_json(),
            "seats": list(self.seats),
            "contacts": [list(contact) for contact in self.contacts],
        }


def judge(
    card: Card, layout: Layout, revealed: Sequence[Card] = (), rulings: Rulings | None = None
) -> Verdict:
    """The verdict on one card. ``revealed`` are the cards on the table (with or without it)."""
    siblings = exactly_siblings(card, revealed)
    return _JUDGES[card.kind](_Case(card, layout, siblings, rulings or Rulings()))


@dataclass(frozen=True)
class _Case:
    """What a verdict depends on; ``siblings`` are other exactly cards of the card's colour."""

    card: Card
    layout: Layout
    siblings: tuple[Card, ...]
    rulings: Rulings

    @property
    def first(self) -> int:
        """The seats of the card's first colour."""
        return self.layout.of_color(self.card.first)

    @property
    def second(self) -> int:
        """The seats of the card's second colour."""
        return self.layout.of_color(self.card.second)

    def verdict(
        self, fulfilled: bool, reason: Text, seats: int = 0, contacts: tuple[Contact, ...] = ()
    ) -> Verdict:
        return Verdict(self.card, fulfilled, reason, seats_in(seats), contacts)


def _exactly(case: _Case) -> Verdict:
    wanted = case.card.number + sum(card.number for card in case.siblings)
    found = case.first.bit_count()
    reason = reasons.exactly(case.card.first, found, wanted, case.siblings)
    return case.verdict(found == wanted, reason, case.first)


def _touch(case: _Case) -> Verdict:
    x, y = case.card.first, case.card.second
    first, second = case.first, case.second
    if not first or not second:
        return case.verdict(True, reasons.absent(x if not first else y), first | second)
    if x == y and first.bit_count() == 1:
        fulfilled = case.rulings.lone_touch == "fulfilled"
        return case.verdict(fulfilled, reasons.lone(x, fulfilled), first)
    lonely_first = first & ~TOUCHING[second]
    lonely_second = second & ~TOUCHING[first]
    if lonely_first or lonely_second:
        reason = reasons.lonely(x, seats_in(lonely_first), y, seats_in(lonely_second))
        return case.verdict(False, reason, lonely_first | lonely_second)
    contacts = contacts_between(first, second)
    return case.verdict(True, reasons.all_touch(x, y), first | second, contacts)


def _apart(case: _Case) -> Verdict:
    x, y = case.card.first, case.card.second
    first, second = case.first, case.second
    contacts = contacts_between(first, second)
    if contacts:
        culprits = (first & TOUCHING[second]) | (second & TOUCHING[first])
        return case.verdict(False, reasons.contact(contacts), culprits, contacts)
    return case.verdict(True, reasons.no_contact(x, y), first | second)


def _not_above(case: _Case) -> Verdict:
    raised = case.first & ~LEVEL_ONE
    if not raised:
        return case.verdict(True, reasons.at_the_bottom(case.card.first, case.first), case.first)
    reason = reasons.raised(case.card.first, seats_in(raised))
    return case.verdict(False, reason, raised, carried(case.layout.occupied, raised))


def _not_below(case: _Case) -> Verdict:
    burdened = carried(case.first, case.layout.occupied)
    if not burdened:
        return case.verdict(True, reasons.free_on_top(case.card.first, case.first), case.first)
    carriers = seat_set(low for low, _ in burdened)
    reason = reasons.burdened(case.card.first, seats_in(carriers))
    return case.verdict(False, reason, carriers, burdened)


def _more(case: _Case) -> Verdict:
    many, few = case.first.bit_count(), case.second.bit_count()
    reason = reasons.compared(case.card, many, few)
    return case.verdict(many > few, reason, case.first | case.second)


def _sum4(case: _Case) -> Verdict:
    total = case.first.bit_count() + case.second.bit_count()
    reason = reasons.summed(case.card, total)
    return case.verdict(total == 4, reason, case.first | case.second)


_JUDGES: dict[Kind, Callable[[_Case], Verdict]] = {
    Kind.EXACTLY: _exactly,
    Kind.TOUCH: _touch,
    Kind.APART: _apart,
    Kind.NOT_ABOVE: _not_above,
    Kind.NOT_BELOW: _not_below,
    Kind.MORE: _more,
    Kind.SUM4: _sum4,
}
