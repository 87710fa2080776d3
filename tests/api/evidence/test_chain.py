from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.ledger.chain import Entry, breaks, canonical, genesis, head, linked
from api.ledger.fingerprint import fingerprint, words


def chain(length: int) -> list[Entry]:
    entries: list[Entry] = []
    for number in range(1, length + 1):
        entry = Entry(number, 100.0 + number, "host", "player_joined", {"player": f"P{number}"})
        entries.append(linked(entry, head("table", entries)))
    return entries


def test_an_untouched_chain_holds() -> None:
    assert list(breaks("table", chain(5))) == []
    assert head("table", []) == genesis("table")


def test_a_chain_is_of_one_table() -> None:
    assert list(breaks("other", chain(3)))


@given(st.data())
def test_no_change_goes_unseen(data: st.DataObject) -> None:
    entries = chain(5)
    place = data.draw(st.integers(0, 4))
    name, value = data.draw(
        st.sampled_from(
            [
                ("at", 5.0),
                ("actor", "player:Eve"),
                ("kind", "pin_set"),
                ("body", {"player": "Eve"}),
                ("files", ("a" * 64,)),
                ("sequence", 17),
                ("previous", "0" * 64),
                ("hash", "0" * 64),
            ]
        )
    )
    entries[place] = Entry(**{**vars(entries[place]), name: value})
    assert list(breaks("table", entries))


@pytest.mark.parametrize("places", list(combinations(range(4), 2)))
def test_no_other_order_goes_unseen(places: tuple[int, int]) -> None:
    entries = chain(4)
    a, b = places
    entries[a], entries[b] = entries[b], entries[a]
    assert list(breaks("table", entries))


@pytest.mark.parametrize("place", range(3))
def test_no_row_goes_missing_unseen(place: int) -> None:
    entries = chain(4)
    del entries[place]
    assert list(breaks("table", entries))


def test_there_is_one_way_of_writing() -> None:
    assert canonical({"b": 1, "a": ["ü"]}) == '{"a":["\\u00fc"],"b":1}'


def test_words_are_told_apart() -> None:
    assert len(words()) == len(set(words())) == 1024
    assert list(words()) == sorted(words())
    for one, other in combinations(words(), 2):
        if len(one) == len(other):
            assert sum(a != b for a, b in zip(one, other, strict=True)) > 1, (one, other)


def test_a_fingerprint_is_the_first_sixty_bits() -> None:
    assert fingerprint("0" * 64) == " ".join([words()[0]] * 6)
    assert fingerprint("f" * 64) == " ".join([words()[-1]] * 6)
    assert fingerprint("0" * 14 + "1" + "f" * 49).split()[-1] == words()[1]
    assert fingerprint("0" * 15 + "f" * 49) == fingerprint("0" * 64)
