from dataclasses import replace

import numpy as np
import pytest

from calibration.dimension.profile import load_profile
from rules.dimension.places import ALL_SEATS
from tests.vision.dimension.readings import SIZE, make_reading, view_from
from tests.vision.dimension.synthetic import Synthetic, blind, clear, letters
from vision.dimension.inferring.infer import infer
from vision.dimension.reading import Reading
from vision.dimension.reporting.advice import describe
from vision.dimension.reporting.confidence import STEEPEST, Confidence, shipped_confidence
from vision.dimension.reporting.report import (
    COVERED,
    GUARDED,
    MOST_ALTERNATIVES,
    STRAINED,
    compose,
    places,
)
from vision.log_odds import Line
from vision.photo import Photo

PYRAMID = "OKBGGWB/K.B.O./K"
LEFT = {"S00": "O", "S10": "W", "S20": "W", "S30": "G"}
PLAIN = Confidence(Line(1.0, 0.0), Line(1.0, 0.0), 0.9999, 0.99, "as it is")


def photo(scale: float = 0.5) -> Photo:
    size = (round(SIZE[0] * scale), round(SIZE[1] * scale))
    return Photo(np.zeros((size[1], size[0], 3), np.uint8), scale, SIZE, None)


def read(
    observer: Synthetic, *warnings: str, inventory: bool = True, confidence: Confidence = PLAIN
) -> Reading:
    where = places(photo(1.0), view_from(20.0), load_profile("disc"))
    posterior = infer(observer, inventory)
    return compose("x.jpg", posterior, where, warnings, {"total": 1.0}, confidence)


def told(layout: str, stored: dict[str, str], nats: float = 12.0, sure: float = 0.0) -> Synthetic:
    return Synthetic(clear(letters(layout, stored), nats) + sure)


def test_a_clear_tray_is_certain() -> None:
    reading = read(told(PYRAMID, LEFT))
    assert reading.status == "certain"
    assert str(reading.layout) == PYRAMID
    assert reading.warnings == ()
    assert reading.alternatives == ()
    assert reading.message == "Everything is clear."
    assert Reading.from_json(reading.to_json()).to_json() == reading.to_json()


def test_places_are_in_pixels_of_the_file() -> None:
    view = view_from(20.0)
    small = type(view)(view.camera.resized(512, 384), view.pose)
    whole = places(photo(1.0), view, load_profile("disc"))
    half = places(photo(0.5), small, load_profile("disc"))
    np.testing.assert_allclose(half.uv, whole.uv, atol=1e-6)
    np.testing.assert_allclose(half.radius, whole.radius, rtol=1e-9)


def test_a_hidden_sphere_is_inferred() -> None:
    observer = told(PYRAMID, LEFT)
    tops = [ALL_SEATS.index(seat) for seat in ("T0", "T2", "T4")]
    observer.covers = {0: sum(1 << top for top in tops)}
    reading = read(observer)
    assert reading.seats["C"].how == "inferred"
    assert reading.seats["C"].color == "O"
    assert reading.seats["R0"].how == "seen"
    assert "cannot see the centre" in reading.message


def test_two_that_may_be_exchanged_are_uncertain_and_named() -> None:
    reading = read(Synthetic(blind(clear(letters(PYRAMID, LEFT)), "C", "R0")))
    assert reading.status == "uncertain"
    assert reading.confidence == pytest.approx(0.5, abs=0.1)
    assert len(reading.alternatives) >= 1
    assert "orange" in reading.message
    assert "black" in reading.message


@pytest.mark.parametrize(
    "hidden", [("C",), ("C", "R0"), ("C", "R0", "R3"), ("C", "R0", "R1", "R2", "R3", "R4", "R5")]
)
def test_alternatives_cover_nearly_all_or_are_ten(hidden: tuple[str, ...]) -> None:
    reading = read(Synthetic(blind(clear(letters(PYRAMID, LEFT)), *hidden)))
    assert reading.confidence is not None
    covered = reading.confidence + sum(other.p for other in reading.alternatives)
    assert covered >= COVERED or len(reading.alternatives) == MOST_ALTERNATIVES
    assert covered <= 1.0 + 1e-9
    assert all(other.p <= reading.confidence for other in reading.alternatives)


def test_a_borrowed_sphere_blocks_certainty() -> None:
    reading = read(told(PYRAMID, LEFT | {"S31": "O"}, 12.0, sure=2.0))
    assert reading.status == "uncertain"
    assert "color_count_impossible" in reading.warnings
    assert "four orange spheres" in reading.message


def test_spheres_beside_the_tray_are_told_but_do_not_block() -> None:
    reading = read(told(PYRAMID, {"S00": "O", "S10": "W"}, 20.0))
    assert reading.warnings == ("spheres_off_tray",)
    assert reading.status == "certain"
    assert "Only 13 of 15" in reading.message


def test_nothing_is_missing_if_storage_is_out_of_the_picture() -> None:
    reading = read(told(PYRAMID, {}, 20.0), "cropped", inventory=False)
    assert reading.warnings == ("cropped",)
    assert "cut off" in reading.message


@pytest.mark.parametrize("code", ["unknown_tray", "views_disagree", "hand_in_view"])
def test_some_warnings_block_certainty(code: str) -> None:
    reading = read(told(PYRAMID, LEFT, 20.0), code)
    assert reading.status == "uncertain"
    assert len(reading.message) > 20


def test_warnings_come_in_their_order() -> None:
    reading = read(told(PYRAMID, LEFT), "too_dark", "blurred", "other_tray_in_view")
    assert reading.warnings == ("other_tray_in_view", "blurred", "too_dark")


def test_confidence_is_a_line_on_log_odds_of_view_and_layout() -> None:
    doubting = Confidence(Line(1.0, 0.0), Line(0.5, -1.0), 0.999, 0.99, "made up")
    chances = [doubting.calibrated(p, 1.0) for p in (0.0, 1e-9, 0.3, 0.9, 0.999, 1.0)]
    assert chances == sorted(chances)
    assert doubting.calibrated(1.0, 1.0) == 0.999
    assert PLAIN.calibrated(0.7, 1.0) == pytest.approx(0.7)
    assert PLAIN.calibrated(0.7, 0.5) == pytest.approx(0.35)
    assert not PLAIN.is_certain(0.98, ())
    assert PLAIN.is_certain(0.995, ("blurred",))


def test_a_layout_forced_upon_the_evidence_is_not_certain() -> None:
    posterior = infer(told(PYRAMID, LEFT))
    assert posterior.strain == 0.0
    where = places(photo(1.0), view_from(20.0), load_profile("disc"))
    forced = compose("x.jpg", replace(posterior, strain=2 * STRAINED), where, confidence=PLAIN)
    assert forced.status == "uncertain"
    assert str(forced.layout) == PYRAMID
    assert forced.message != "Everything is clear."


def test_what_counts_force_upon_the_evidence_is_strain() -> None:
    observer = told(PYRAMID, LEFT)
    fourth = ALL_SEATS.index("S30")
    observer.loglik[fourth] = clear("K" * len(ALL_SEATS), 5.0)[fourth]  # it looks black, too
    posterior = infer(observer)
    assert posterior.color(fourth) == "G"
    assert posterior.strain == pytest.approx(5.0, abs=0.05)


def test_the_shipped_numbers_say_where_they_come_from() -> None:
    shipped = shipped_confidence()
    assert 0.9 < shipped.certain_from < shipped.ceiling <= 1.0
    assert shipped.experiment


def test_doubts_are_described_with_what_to_do() -> None:
    reading = make_reading(
        PYRAMID,
        view=view_from(50.0),
        doubts={"R0": 0.6, "R1": 0.8, "R2": 0.9},
        alternatives={"OWBGGWB/K.B.O./K": 0.4},
        warnings=("too_dark", "blurred"),
    )
    text = describe(reading)
    assert "R0 (level one) may be black or white" in text
    assert "1 more is in doubt" in text
    assert "To be sure, take another photo" in text
    assert "More light" in text
    assert "Hold still" in text


@pytest.mark.parametrize(("tilt", "low"), [(30.0, False), (68.0, True)])
def test_who_holds_the_camera_low_is_told(tilt: float, low: bool) -> None:
    reading = make_reading(PYRAMID, view=view_from(tilt))
    assert ("too low" in describe(reading)) == low
    assert "too low" not in describe(replace(reading, status="certain"))


@pytest.mark.parametrize(("more", "certain"), [(-1.0, True), (1.0, False)])
def test_what_is_seen_from_too_low_is_never_certain(more: float, certain: bool) -> None:
    where = places(photo(1.0), view_from(20.0), load_profile("disc"))
    posterior = infer(told(PYRAMID, LEFT)).seen_in(view_from(STEEPEST + more), 1.0)
    reading = compose("x.jpg", posterior, where, confidence=PLAIN)
    assert (reading.status == "certain") == certain
    assert ((reading.confidence or 0.0) <= GUARDED) != certain
