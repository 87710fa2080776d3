import itertools
from math import factorial, prod
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dimension.board import SEATS, seats_in, shapes
from rules.dimension.layout import COLORS, Layout
from rules.dimension.places import ALL_SEATS, PLAY, STORAGE
from tests.vision.dimension.synthetic import Synthetic, bits, blind, clear, letters
from vision.dimension.inferring.colorings import Coloring, by_state
from vision.dimension.inferring.infer import Posterior, infer, storage_letters, weigh
from vision.dimension.inferring.occupancy import Occupancy, Witness, search
from vision.dimension.inferring.prior import PRIOR, count_weights, placement_log, shape_logs
from vision.dimension.observing.seat_evidence import PLAY_SET, STATES

PYRAMID = "OKBGGWB/K.B.O./K"
LEFT = {"S00": "O", "S10": "W", "S20": "W", "S30": "G"}
BORROWED = {"S00": "O", "S10": "W", "S20": "W", "S30": "G", "S31": "O"}


def told(layout: str, stored: dict[str, str], nats: float = 8.0, sure: float = 0.0) -> Synthetic:
    return Synthetic(clear(letters(layout, stored), nats) + sure)


def index(seat: str) -> int:
    return ALL_SEATS.index(seat)


def test_what_is_clear_is_read_and_sure() -> None:
    posterior = infer(told(PYRAMID, LEFT))
    assert str(posterior.layout) == PYRAMID
    assert storage_letters(posterior) == LEFT
    assert posterior.probability > 0.999
    assert posterior.incomplete < 1e-3
    assert posterior.impossible < 1e-3
    np.testing.assert_allclose(posterior.marginals.sum(axis=1), 1.0)


@pytest.mark.parametrize("layout", [".......+....../.".replace("+", "/"), "O....../....../."])
def test_few_spheres_beside_a_full_storage(layout: str) -> None:
    left = [color for color, count in Layout.parse(layout).storage().items() for _ in range(count)]
    posterior = infer(told(layout, dict(zip(STORAGE, left, strict=False))))
    assert str(posterior.layout) == layout
    assert posterior.probability > 0.99


def test_the_hidden_centre_is_what_is_missing_elsewhere() -> None:
    observer = told(PYRAMID, LEFT)
    observer.covers = {index("C"): bits("T0", "T2", "T4")}
    posterior = infer(observer)
    assert str(posterior.layout) == PYRAMID
    assert posterior.probability > 0.99
    assert posterior.visible[index("C")] == 0.0


def test_the_hidden_centre_is_open_if_storage_is_cut_off() -> None:
    observer = Synthetic(blind(clear(letters(PYRAMID, {})), "C"))
    posterior = infer(observer, inventory=False)
    chances = posterior.marginals[index("C")]
    assert chances[0] == 0.0, "what lies on three spheres has three spheres beneath"
    assert chances[1:].max() < 0.5


def test_a_stack_has_supports_even_where_none_are_seen() -> None:
    states = letters("OKB..../K...../.", {})
    observer = Synthetic(blind(clear(states), "C", "R0", "R1"))
    posterior = infer(observer)
    empty = posterior.marginals[:, 0]
    assert empty[index("T0")] < 0.2
    assert max(empty[[index("C"), index("R0"), index("R1")]]) <= empty[index("T0")]


def test_spheres_beside_the_tray_are_noticed() -> None:
    posterior = infer(told(PYRAMID, {"S00": "O"}))
    assert str(posterior.layout) == PYRAMID
    assert posterior.incomplete > 0.95


def test_a_borrowed_sphere_is_noticed_and_read_as_seen() -> None:
    """Orange from the neighbour instead of one's own blue, or besides all one's own."""
    for stored in (BORROWED, BORROWED | {"S42": "B"}):
        posterior = infer(told(PYRAMID, stored, nats=12.0, sure=2.0))
        assert str(posterior.layout) == PYRAMID
        assert posterior.impossible > 0.5


def test_green_slots_are_not_ten_green_spheres() -> None:
    """Empty places that look rather green: too many of them to be spheres."""
    table = clear(letters(PYRAMID, LEFT), nats=10.0)
    for place in ("S01", "S02", "S11", "S12", "S21", "S22", "S40", "S41", "S42"):
        table[index(place), STATES.index("G")] = 4.0
    posterior = infer(Synthetic(table))
    assert str(posterior.layout) == PYRAMID
    assert storage_letters(posterior) == LEFT
    assert posterior.impossible < 0.1


def test_a_faint_fourth_is_rather_another_color() -> None:
    """With all others in their places, one doubtful sphere is what is missing."""
    table = clear(letters(PYRAMID, LEFT))
    seat = index("R0")  # black, but it looks a little more like blue, of which there are three
    table[seat, STATES.index("B")] = 1.0
    posterior = infer(Synthetic(table))
    assert str(posterior.layout) == PYRAMID
    assert posterior.impossible < 0.05


def test_alternatives_are_there_where_two_spheres_may_be_exchanged() -> None:
    table = blind(clear(letters(PYRAMID, LEFT)), "C", "R0")
    posterior = infer(Synthetic(table))
    likely = [str(layout) for layout, p in posterior.layouts.items() if p > 0.4]
    assert sorted(likely) == ["KOBGGWB/K.B.O./K", PYRAMID]


def test_covers_change_what_is_seen() -> None:
    """An observer whose evidence depends on the cover is asked under the right one."""
    observer = told("OKB..../W...../.", {})
    observer.covers = {index("C"): bits("T0"), index("R3"): bits("T4")}
    witness = Witness(observer, inventory=True)
    occupied = bits("C", "R0", "R1", "T0")
    assert occupied in search(witness)
    seen = witness.testimony(occupied)
    assert seen.visible[index("C")] == 0.0
    assert seen.visible[index("R3")] == 1.0


def test_few_questions_are_asked() -> None:
    observer = told(PYRAMID, LEFT)
    infer(observer)
    assert observer.asked <= 40


@pytest.mark.parametrize("guess", [0, bits("C", "R0", "R1", "T0"), (1 << 29) - 1])
def test_a_guess_saves_questions_and_changes_nothing(guess: int) -> None:
    def observer() -> Synthetic:
        doubtful = clear(letters("OKB..../W...../.", {}))
        doubtful[[index("T0"), index("R1")], 0] = -1.0
        return Synthetic(doubtful, covers={index("C"): bits("T0"), index("R2"): bits("R1")})

    guessing, plain = observer(), observer()
    guessing.guess = guess
    assert search(Witness(guessing, inventory=True)) == search(Witness(plain, inventory=True))
    assert guessing.times_asked <= 3


# --- against brute force


def brute_force(occupancies: list[Occupancy], inventory: bool) -> dict[str, float]:
    """Probabilities of layouts by going through every colouring of every occupancy."""
    weights = count_weights(PRIOR, inventory)
    found: dict[str, float] = {}
    for occupancy in occupancies:
        filled = [i for i in range(len(ALL_SEATS)) if occupancy.seats >> i & 1]
        empty = [i for i in range(len(ALL_SEATS)) if i not in filled]
        place = shape_logs(PRIOR)[occupancy.seats & PLAY_SET] + occupancy.loglik[empty, 0].sum()
        place += placement_log((occupancy.seats >> PLAY).bit_count()) if inventory else 0.0
        for colors in itertools.product(range(5), repeat=len(filled)):
            counts = [colors.count(color) for color in range(5)]
            weight = weights[tuple(min(count, 4) for count in counts)]
            likely = sum(occupancy.loglik[i, c + 1] for i, c in zip(filled, colors, strict=True))
            painted = dict(zip(filled, colors, strict=True))
            cells = "".join(COLORS[painted[i]] if i in painted else "." for i in range(PLAY))
            found[cells] = found.get(cells, 0.0) + np.exp(place + likely) * weight
    total = sum(found.values())
    return {cells: p / total for cells, p in found.items()}


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_sums_are_those_of_brute_force(seed: int, inventory: bool) -> None:
    rng = np.random.default_rng(seed)
    # At most three spheres in all: four of one colour, more than a player has, are summed apart
    # and only nearly right (1e-3 of them).
    small = [mask for mask in shapes() if mask.bit_count() <= 3]
    occupancies = []
    for _ in range(3):
        mask = int(rng.choice(small))
        if mask.bit_count() < 3 and rng.random() < 0.7:
            mask |= 1 << int(rng.integers(PLAY, len(ALL_SEATS)))
        loglik = rng.normal(0.0, 1.5, (len(ALL_SEATS), len(STATES)))
        occupancies.append(Occupancy(mask, loglik, np.ones(len(ALL_SEATS))))
    distinct = list({occupancy.seats: occupancy for occupancy in occupancies}.values())
    expected = brute_force(distinct, inventory)
    with patch("vision.dimension.inferring.infer.LEAST_SHARE", 0.0):
        posterior = weigh(distinct, inventory)
    for layout, p in itertools.islice(posterior.layouts.items(), 10):
        assert p == pytest.approx(expected[layout.cells], abs=2e-5)
    assert posterior.probability == pytest.approx(max(expected.values()), abs=2e-5)
    for seat in range(PLAY):
        by_hand = sum(p for cells, p in expected.items() if cells[seat] == "O")
        assert posterior.marginals[seat, 1] == pytest.approx(by_hand, abs=1e-4)


def test_impossible_counts_are_summed_apart() -> None:
    likelihoods = np.full((4, 5), 1e-3)
    likelihoods[:, 0] = 1.0
    coloring = Coloring(likelihoods, by_state(np.ones((5,) * 5), 4))
    everything = likelihoods.sum(axis=1).prod()
    assert coloring.total == pytest.approx(everything)
    assert coloring.impossible == pytest.approx(1.0 + 4 * 1e-12, rel=1e-6)


def test_count_weights_are_a_distribution() -> None:
    """Summed over the colourings of every number of spheres they give (about) one."""
    weights = count_weights(PRIOR, True)
    orders = [
        factorial(sum(counts)) / prod(map(factorial, counts))
        for counts in np.ndindex(weights.shape)
    ]
    assert weights.reshape(-1) @ orders == pytest.approx(1.0, abs=0.02)


def test_shapes_are_a_distribution() -> None:
    assert np.exp(list(shape_logs(PRIOR).values())).sum() == pytest.approx(1.0)


# --- noisy evidence: probabilities that mean what they say


def random_tray(rng: np.random.Generator) -> str:
    shape = int(rng.choice(list(shapes())))
    spheres = "".join(rng.permutation(list(COLORS * 3)))
    seats = seats_in(shape)
    places = rng.permutation(list(STORAGE))[: 15 - len(seats)]
    on_seats = Layout.of(dict(zip(seats, spheres, strict=False)))
    return letters(str(on_seats), dict(zip(map(str, places), spheres[len(seats) :], strict=True)))


def noisy(rng: np.random.Generator, states: str, spread: float) -> Synthetic:
    """Evidence of a sensor that gives each state's mark plus noise, honestly reported."""
    marks = np.eye(len(STATES)) * 3.0
    table = np.empty((len(states), len(STATES)))
    for seat, state in enumerate(states):
        seen = marks[STATES.index(state)] + rng.normal(0.0, spread, len(STATES))
        table[seat] = -((seen - marks) ** 2).sum(axis=1) / (2 * spread**2)
    return Synthetic(table)


def test_confidence_is_the_rate_of_being_right() -> None:
    rng = np.random.default_rng(7)
    told_p, right = [], []
    for _ in range(80):
        states = random_tray(rng)
        posterior = infer(noisy(rng, states, 0.9))
        told_p.append(posterior.probability)
        right.append(posterior.layout.cells == states[: len(SEATS)])
    assert 0.3 < np.mean(right) < 0.999
    error = abs(np.mean(told_p) - np.mean(right))
    assert error < 3 * np.sqrt(np.mean(right) * (1 - np.mean(right)) / len(right)) + 0.02


def test_the_inventory_helps() -> None:
    rng = np.random.default_rng(3)
    with_it, without = 0, 0
    for _ in range(30):
        states = random_tray(rng)
        observer = noisy(rng, states, 1.0)
        with_it += infer(observer).layout.cells == states[: len(SEATS)]
        without += _independent(observer) == states[: len(SEATS)]
    assert with_it > without


def _independent(observer: Synthetic) -> str:
    return "".join(STATES[row.argmax()] for row in observer.loglik[: len(SEATS)])


def test_nothing_at_all_still_gives_a_legal_layout() -> None:
    posterior: Posterior = infer(Synthetic(np.zeros((len(ALL_SEATS), len(STATES)))))
    assert not posterior.layout.problems()
    assert posterior.probability < 0.9
