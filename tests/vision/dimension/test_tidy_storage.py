import itertools
from math import comb, perm

import numpy as np
import pytest

from tests.vision.dimension.synthetic import Synthetic, clear, letters
from vision.dimension.inferring.colorings import counts_of
from vision.dimension.inferring.infer import infer, storage_letters
from vision.dimension.inferring.prior import PRIOR, number_of_own
from vision.dimension.inferring.tidy_storage import TidyStorage

PYRAMID = "OKBGGWB/K.B.O./K"


@pytest.mark.parametrize("slots", [(0, 1, 2, 2), (0, 0, 0, 1, 1, 4), (3,), ()])
def test_the_sum_over_tidy_storages_is_that_over_all_orders_of_colors(
    slots: tuple[int, ...],
) -> None:
    rng = np.random.default_rng(5)
    likelihoods = rng.uniform(0.05, 1.0, (len(slots), 5))
    played = 9
    filled = [slots.count(slot) for slot in range(5)]
    table = TidyStorage(likelihoods, slots, played, PRIOR).table()
    number = number_of_own(PRIOR, inventory=True, own=played + len(slots))
    places = comb(15, len(slots)) / np.prod([comb(3, count) for count in filled])
    for state, counts in enumerate(counts_of(played).T):
        expected = 0.0
        if counts.sum() == played and counts.max() <= 3:
            ways = np.prod([perm(3, count) for count in counts]) / perm(15, played)
            for order in itertools.permutations(range(5)):  # the colour of each slot
                left = np.prod([comb(3 - counts[order[s]], filled[s]) for s in range(5)])
                seen = np.prod([likelihoods[i, order[slot]] for i, slot in enumerate(slots)])
                expected += ways * left * seen / comb(15 - played, len(slots)) / 120
        assert table[state] == pytest.approx(expected * number * places, rel=1e-9, abs=1e-30)


def test_slots_have_a_color_each() -> None:
    slots = (0, 0, 1, 2, 2, 2)
    rng = np.random.default_rng(1)
    tidy = TidyStorage(rng.uniform(0.1, 1.0, (6, 5)), slots, 9, PRIOR)
    chances = tidy.colors(rng.random(counts_of(9).shape[1:]))
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    np.testing.assert_allclose(chances.sum(axis=0), 1.0)


def test_a_faint_sphere_is_looked_for_beside_its_like() -> None:
    """One sphere may lie here or there, hardly to be seen: rather in the slot of its colour."""
    stored = {"S00": "G", "S10": "W", "S11": "W", "S30": "O"}
    table = clear(letters(PYRAMID, stored), nats=10.0)
    empty, white = 0, 5
    for place in (21, 18):  # S21 beside nothing, S11 beside a white one: either may be the last
        table[place] = -10.0
        table[place, [empty, white]] = 0.0
    assert storage_letters(infer(Synthetic(table)))["S11"] == "W"


def test_untidy_storage_is_read_as_well() -> None:
    stored = {"S00": "G", "S01": "W", "S02": "O", "S40": "W"}
    posterior = infer(Synthetic(clear(letters(PYRAMID, stored), nats=8.0)))
    assert storage_letters(posterior) == stored
    assert str(posterior.layout) == PYRAMID
