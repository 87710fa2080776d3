"""Why a card is fulfilled or not, in words that end an argument."""

from collections.abc import Sequence

from rules.dimension.cards import Card
from rules.dimension.words import adjective, enumeration, one_of, spheres
from rules.texts import Text


def exactly(color: str, found: int, wanted: int, siblings: Sequence[Card]) -> Text:
    """How many there are, how many were asked for, and whether cards were added up."""
    there = spheres(found, color)
    if found == wanted:
        text = Text(f"There are {there.en}, as asked.", f"Es sind {there.de}, wie verlangt.")
    else:
        text = Text(
            f"There are {there.en}, asked for: {wanted}.",
            f"Es sind {there.de}, verlangt: {wanted}.",
        )
    if not siblings:
        return text
    added = enumeration([str(card) for card in siblings])
    return Text(
        f"{text.en} (Added up with {added.en}.)", f"{text.de} (Zusammengezählt mit {added.de}.)"
    )


def absent(color: str) -> Text:
    """Nothing has to touch, as a colour is not there."""
    none = adjective(color)
    return Text(
        f"No {none.en} sphere is on the tray, so nothing has to touch.",
        f"Es liegt keine {none.de} Kugel aus, also muss sich nichts berühren.",
    )


def lone(color: str, fulfilled: bool) -> Text:
    """A single sphere under a same-colour touch card, as the table rules it."""
    shade = adjective(color)
    return Text(
        f"Only one {shade.en} sphere is on the tray; this table counts that as "
        f"{'fulfilled' if fulfilled else 'not fulfilled'}.",
        f"Es liegt nur eine {shade.de} Kugel aus; an diesem Tisch gilt das als "
        f"{'erfüllt' if fulfilled else 'nicht erfüllt'}.",
    )


def lonely(x: str, without_y: Sequence[str], y: str, without_x: Sequence[str]) -> Text:
    """Which spheres lack a contact with the other colour."""
    sides = [(x, y, without_y)] if x == y else [(x, y, without_y), (y, x, without_x)]
    parts = [_lacking(own, other, seats) for own, other, seats in sides if seats]
    return Text(" ".join(part.en for part in parts), " ".join(part.de for part in parts))


def _lacking(own: str, other: str, seats: Sequence[str]) -> Text:
    who, missing = _spheres_on(own, seats), adjective(other)
    one, again = len(seats) == 1, own == other
    return Text(
        f"{who.en} {'touches' if one else 'touch'} no {'other ' if again else ''}{missing.en} one.",
        f"{who.de} {'berührt' if one else 'berühren'} keine {'andere ' if again else ''}"
        f"{missing.de}.",
    )


def all_touch(x: str, y: str) -> Text:
    """Every sphere has its contact."""
    first, second = adjective(x), one_of(y)
    if x == y:
        return Text(
            f"Every {first.en} sphere touches another one.",
            f"Jede {first.de} Kugel berührt eine andere.",
        )
    return Text(
        f"Every {first.en} sphere touches {second.en}, and the other way round.",
        f"Jede {first.de} Kugel berührt {second.de}, und umgekehrt.",
    )


def contact(contacts: Sequence[tuple[str, str]]) -> Text:
    """Which spheres touch though they must not."""
    pairs = enumeration(["–".join(pair) for pair in contacts])
    return Text(f"They touch at {pairs.en}.", f"Sie berühren sich bei {pairs.de}.")


def no_contact(x: str, y: str) -> Text:
    """Nothing touches that must not."""
    first, second = adjective(x), one_of(y)
    if x == y:
        return Text(
            f"No two {first.en} spheres touch.",
            f"Keine zwei {first.de}n Kugeln berühren sich.",
        )
    return Text(
        f"No {first.en} sphere touches {second.en}.",
        f"Keine {first.de} Kugel berührt {second.de}.",
    )


def at_the_bottom(color: str, seats: int) -> Text:
    """All of a colour lie in holes, or there are none."""
    if not seats:
        return _none_there(color)
    shade = adjective(color)
    return Text(
        f"Every {shade.en} sphere lies in a hole.", f"Jede {shade.de} Kugel liegt in einem Loch."
    )


def raised(color: str, seats: Sequence[str]) -> Text:
    """Which spheres lie on others though they must not."""
    who, one = _spheres_on(color, seats), len(seats) == 1
    return Text(
        f"{who.en} {'lies' if one else 'lie'} on others.",
        f"{who.de} {'liegt' if one else 'liegen'} auf anderen.",
    )


def free_on_top(color: str, seats: int) -> Text:
    """Nothing lies on a colour, or there are none."""
    if not seats:
        return _none_there(color)
    shade = adjective(color)
    return Text(
        f"No {shade.en} sphere carries another one.", f"Auf keiner {shade.de}n Kugel liegt etwas."
    )


def burdened(color: str, seats: Sequence[str]) -> Text:
    """Which spheres carry others though they must not."""
    who, one = _spheres_on(color, seats), len(seats) == 1
    return Text(
        f"{who.en} {'carries' if one else 'carry'} others.",
        f"{who.de} {'trägt' if one else 'tragen'} andere.",
    )


def compared(card: Card, many: int, few: int) -> Text:
    """How two colours compare in number."""
    more, less = spheres(many, card.first), spheres(few, card.second)
    return Text(f"Found {more.en} against {less.en}.", f"Es stehen {more.de} gegen {less.de}.")


def summed(card: Card, total: int) -> Text:
    """How many two colours are together."""
    x, y = adjective(card.first), adjective(card.second)
    return Text(
        f"The {x.en} and {y.en} spheres are {total} together; asked for: 4.",
        f"Die {x.de}n und {y.de}n Kugeln sind zusammen {total}; verlangt: 4.",
    )


def _spheres_on(color: str, seats: Sequence[str]) -> Text:
    """The beginning of a sentence about the spheres on these seats."""
    shade, there = adjective(color), enumeration(seats)
    if len(seats) == 1:
        return Text(f"The {shade.en} sphere on {there.en}", f"Die {shade.de} Kugel auf {there.de}")
    return Text(f"The {shade.en} spheres on {there.en}", f"Die {shade.de}n Kugeln auf {there.de}")


def _none_there(color: str) -> Text:
    shade = adjective(color)
    return Text(f"No {shade.en} sphere is on the tray.", f"Es liegt keine {shade.de} Kugel aus.")
