import numpy as np
import pytest

from calibration.dimension.geometry import seat_positions
from calibration.dimension.profile import load_profile
from vision.dimension.observing.slots import (
    along_slot,
    named_places,
    slot_candidates,
    spheres_in_slot,
)

DISC = load_profile("disc")
STEPS = np.linspace(-1.25, 1.25, 21)


def odds_of(*spheres: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Log odds as a model gives them: high where a sphere is, low elsewhere."""
    near = [np.abs(STEPS - at) for at in spheres] or [np.full(21, 9.0)]
    return np.asarray(6.0 - 30.0 * np.minimum.reduce(near))


def test_nominal_places_are_along_the_slot() -> None:
    seats = seat_positions(DISC)
    for slot in range(5):
        for place in range(3):
            assert along_slot(DISC, slot, place - 1) == pytest.approx(seats[f"S{slot}{place}"])
    assert slot_candidates(DISC).shape == (5, 21, 3)


@pytest.mark.parametrize(
    "spheres", [(), (0.0,), (-1.25,), (-0.5, 0.5), (-1.0, 0.0, 1.0), (-1.25, 1.25)]
)
def test_spheres_are_found_where_they_slid(spheres: tuple[float, ...]) -> None:
    found = spheres_in_slot(odds_of(*spheres), DISC)
    assert [STEPS[i] for i in found] == pytest.approx(spheres)


def test_one_sphere_is_not_taken_for_two() -> None:
    odds = odds_of(0.0)
    odds[[9, 11]] = odds[10]  # as likely a little to either side
    assert len(spheres_in_slot(odds, DISC)) == 1


@pytest.mark.parametrize(
    ("spheres", "names"),
    [
        ((-1.0,), {0}),
        ((0.125,), {1}),
        ((1.125,), {2}),
        ((-1.0, 0.0), {0, 1}),
        ((0.0, 1.0), {1, 2}),
        ((-1.125, 1.0), {0, 2}),
        ((-1.0, 0.0, 1.0), {0, 1, 2}),
    ],
)
def test_places_are_named_by_order_and_nearness(
    spheres: tuple[float, ...], names: set[int]
) -> None:
    found = [int(np.abs(STEPS - at).argmin()) for at in spheres]
    places = named_places(found)
    assert set(places) == {0, 1, 2}
    assert sorted(at for name, at in places.items() if name in names) == pytest.approx(spheres)
    assert list(dict(sorted(places.items())).values()) == sorted(places.values())


def test_an_empty_place_is_looked_at_beside_its_neighbours() -> None:
    places = named_places([int(np.abs(STEPS - at).argmin()) for at in (-1.25, -0.25)])
    assert places[2] == pytest.approx(1.0)
