"""A host who forges one field and makes all hashes right is told on, whichever field it is."""

import re
from collections.abc import Iterable, Sequence
from random import Random

import pytest

from api.games.dimension.table import TABLE
from api.tables.record import happens
from tests.api.evidence.mutations import Mutation, mutations
from tests.api.evidence.recorded import Recorded

UNCHECKABLE: Sequence[tuple[str, str]] = (
    # Only the clock knows when. Order is checked, and times that must agree with each other.
    (r"\w+:at", "the exact time"),
    # The host's tablet may act for everybody, and a player's phone for its player.
    (r"(tray_submitted|tray_corrected|pin_set|tray_set):actor", "which of two may have acted"),
    (r"dispute_(opened|photos|consent|resolved):actor", "who at the table took a common step"),
    (r"share_(committed|told):actor", "whose device it was"),
    # What people write or agree on is theirs.
    (r"tray_corrected:body\.reason", "free text"),
    (r"dispute_opened:body\.text", "free text"),
    (r"table_opened:body\.(tray|event\.players(\.#)?|event\.rulings\.\w+)", "what they agreed on"),
    # Nobody but the entry says so, and nothing that follows depends on it.
    (r"cards_revealed:body\.(drawn|event\.cards(\.#)?)", "that these very cards were entered"),
    # What cameras and programs said: only photos bear it out, for whoever looks at them.
    (r"(tray_submitted|dispute_photos|tray_set):body\.reading\..*", "the reading's own numbers"),
    (r"tray_set:(body\.warnings(\.#)?|files)", "what a tray was measured from, beside the first"),
    (r"(table_opened|program_changed):body\.program(\.\w+)?", "which program it says it was"),
)
"""What no history can prove, and why. All else is told."""

SAYS_THE_SAME = ("table_opened:body.game = left out",)
"""A history that names no game was always one of Dimension."""

ALWAYS_TOLD = re.compile(r".*body\.reading\.(layout|photo|status|seats)")
"""Of a reading: what it has to agree on with the entry and with itself."""


def is_uncheckable(change: Mutation) -> bool:
    place = f"{change.kind}:{change.path}"
    if ALWAYS_TOLD.fullmatch(place):
        return False
    if str(change) in SAYS_THE_SAME:
        return True
    return any(re.fullmatch(pattern, place) for pattern, _ in UNCHECKABLE)


def is_told(recorded: Recorded, change: Mutation) -> bool:
    return recorded.is_told_on(change.of(recorded.rows()))


def one_each(changes: Iterable[Mutation]) -> list[Mutation]:
    """The first change of each field into each kind of value."""
    found: dict[tuple[str, str, str], Mutation] = {}
    for change in changes:
        value = str(change.value) if change.path in ("actor", "kind") else type(change.value)
        found.setdefault((change.kind, change.path, f"{value}"), change)
    return list(found.values())


def untold(recorded: Recorded, changes: Iterable[Mutation]) -> list[str]:
    return [str(change) for change in changes if not is_told(recorded, change)]


def test_every_kind_of_entry_is_recorded(recorded: Recorded) -> None:
    assert set(recorded.kinds) == set(happens(TABLE))
    assert recorded.forged(lambda rows: rows).intact


def test_a_changed_field_is_told(recorded: Recorded) -> None:
    """Some fields by chance; the slow test takes them all."""
    changes = [one for one in one_each(mutations(recorded.rows())) if not is_uncheckable(one)]
    assert untold(recorded, Random(11).sample(changes, 40)) == []


@pytest.mark.slow
def test_every_changed_field_is_told(recorded: Recorded) -> None:
    changes = [one for one in one_each(mutations(recorded.rows())) if not is_uncheckable(one)]
    assert len(changes) > 1000
    assert untold(recorded, changes) == []


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [pattern for pattern, _ in UNCHECKABLE])
def test_nothing_is_called_uncheckable_without_need(recorded: Recorded, pattern: str) -> None:
    changes = [
        one
        for one in mutations(recorded.rows())
        if re.fullmatch(pattern, f"{one.kind}:{one.path}") and is_uncheckable(one)
    ]
    assert any(not is_told(recorded, change) for change in changes)
