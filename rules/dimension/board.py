"""The fourteen seats of a tray: who touches whom, who rests on whom, which shapes can stand.

A set of seats is an ``int`` with one bit a seat, in the order of ``SEATS``. Sets are what the
rules are made of (the orange spheres, what lies beneath, what touches), and a tray has so few
seats that every question about a set is one look into a table.
"""

from collections.abc import Iterable
from functools import cache

SEATS: tuple[str, ...] = ("C", *(f"R{i}" for i in range(6)), *(f"T{i}" for i in range(6)), "A")
"""All seats, in the order of the notation: centre, ring, level two, apex."""

BIT: dict[str, int] = {seat: 1 << i for i, seat in enumerate(SEATS)}
ALL = (1 << len(SEATS)) - 1
MOST_SPHERES = 11
"""Seven at the bottom, three on them, one on top."""


def level(seat: str) -> int:
    """Level of a seat: 1 for the holes, 2 for ``T0``…``T5``, 3 for ``A``."""
    return {"C": 1, "R": 1, "T": 2, "A": 3}[seat[0]]


def seat_set(seats: Iterable[str]) -> int:
    """The set of these seats."""
    return sum(BIT[seat] for seat in set(seats))


def seats_in(mask: int) -> tuple[str, ...]:
    """The seats of a set, in the order of the notation."""
    return tuple(seat for i, seat in enumerate(SEATS) if mask >> i & 1)


SUPPORTS: dict[str, tuple[tuple[str, ...], ...]] = {
    **{seat: ((),) for seat in SEATS if level(seat) == 1},
    **{f"T{i}": (("C", f"R{i}", f"R{(i + 1) % 6}"),) for i in range(6)},
    "A": (("T0", "T2", "T4"), ("T1", "T3", "T5")),
}
"""For each seat, the alternative sets of seats a sphere there can rest on."""

OVERLAPS: tuple[tuple[str, str], ...] = tuple((f"T{i}", f"T{(i + 1) % 6}") for i in range(6))
"""Pairs of seats too close to each other for two spheres."""

CONTACTS: tuple[tuple[str, str], ...] = (
    *(("C", f"R{i}") for i in range(6)),
    *((f"R{i}", f"R{(i + 1) % 6}") for i in range(6)),
    *((below, f"T{i}") for i in range(6) for below in SUPPORTS[f"T{i}"][0]),
    *((f"T{i}", f"T{(i + 2) % 6}") for i in range(6)),
    *((f"T{i}", "A") for i in range(6)),
)
"""Pairs of seats whose spheres touch. (``A`` never meets more than the three it rests on.)"""

LEVEL_ONE = seat_set(seat for seat in SEATS if level(seat) == 1)


def _union_table(related: dict[str, int]) -> tuple[int, ...]:
    """For each of the 2¹⁴ sets, the union of what its seats are related to."""
    table = [0]
    for seat in SEATS:
        table += [union | related[seat] for union in table]
    return tuple(table)


def _touching_one(seat: str) -> int:
    return seat_set(b if a == seat else a for a, b in CONTACTS if seat in (a, b))


def _resting_on_one(seat: str) -> int:
    return seat_set(s for s in SEATS if any(seat in support for support in SUPPORTS[s]))


TOUCHING = _union_table({seat: _touching_one(seat) for seat in SEATS})
"""``TOUCHING[mask]``: the seats that touch at least one seat of the set."""

RESTING_ON = _union_table({seat: _resting_on_one(seat) for seat in SEATS})
"""``RESTING_ON[mask]``: the seats whose sphere would rest on at least one of the set."""


_SUPPORT_SETS = {seat: tuple(map(seat_set, options)) for seat, options in SUPPORTS.items()}
_OVERLAP_SETS = tuple(map(seat_set, OVERLAPS))


def supported(seat: str, occupied: int) -> bool:
    """Whether what is occupied carries a sphere on this seat."""
    return any(support & ~occupied == 0 for support in _SUPPORT_SETS[seat])


def can_stand(occupied: int) -> bool:
    """Whether spheres can lie on exactly these seats."""
    return not any(pair & ~occupied == 0 for pair in _OVERLAP_SETS) and all(
        supported(seat, occupied) for seat in seats_in(occupied)
    )


@cache
def shapes() -> tuple[int, ...]:
    """All 264 sets of seats that spheres can occupy, smallest first."""
    standing = filter(can_stand, range(ALL + 1))
    return tuple(sorted(standing, key=lambda mask: (mask.bit_count(), mask)))


def rotate_seat(seat: str, steps: int = 1) -> str:
    """The seat ``steps`` × 60° further clockwise."""
    return seat if seat in ("C", "A") else f"{seat[0]}{(int(seat[1]) + steps) % 6}"


def contacts_between(first: int, second: int) -> tuple[tuple[str, str], ...]:
    """The contacts that join a seat of one set to a seat of the other."""
    return tuple(
        (a, b)
        for a, b in CONTACTS
        if (BIT[a] & first and BIT[b] & second) or (BIT[a] & second and BIT[b] & first)
    )


def carried(below: int, above: int) -> tuple[tuple[str, str], ...]:
    """The contacts by which a seat of the set above rests on one of the set below."""
    return tuple(
        (low, high)
        for low, high in CONTACTS
        if level(low) < level(high) and BIT[low] & below and BIT[high] & above
    )
