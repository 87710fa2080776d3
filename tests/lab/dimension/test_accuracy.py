"""The judge's definitions, on readings made up to show each of them once."""

from typing import Any

import pytest

from lab.dimension.bench.accuracy import (
    Judged,
    Tally,
    bins,
    calibration_error,
    pairs,
    table,
    wilson,
)

TRUTH: dict[str, Any] = {
    "kind": "play",
    "layout": "OKBGGWB/K.B.O./K",
    "slots": {"S00": "O", "S10": "G", "S20": "W", "S21": "W"},
    "spheres": {f"{i}": {"visible": 1.0} for i in range(15)},
}
NEGATIVE: dict[str, Any] = {"kind": "negative", "layout": None, "slots": {}, "spheres": {}}


def reading(status: str, layout: str | None = None, confidence: float | None = None) -> Any:
    return {"status": status, "layout": layout, "confidence": confidence}


def truth(*visible: float, stored: int = 4) -> dict[str, Any]:
    spheres = {f"{i}": {"visible": share} for i, share in enumerate(visible)}
    return {**TRUTH, "spheres": spheres, "slots": {f"S{i}0": "O" for i in range(stored)}}


TURNED = "OBKBGGW/.K.B.O/K"
MIRRORED = "OKBWGGB/O.B.K./K"
ONE_OFF = "OKBGGWB/K.B.W./K"


@pytest.mark.parametrize(
    ("about", "read", "outcome", "wrong"),
    [
        (TRUTH, reading("certain", TRUTH["layout"], 0.999), "exact", 0),
        (TRUTH, reading("certain", TURNED, 0.999), "exact", 0),
        (TRUTH, reading("uncertain", TURNED, 0.5), "exact, unsure", 0),
        (TRUTH, reading("uncertain", ONE_OFF, 0.5), "wrong, unsure", 1),
        (TRUTH, reading("certain", ONE_OFF, 0.995), "SILENT ERROR", 1),
        (TRUTH, reading("no_tray"), "not found", 14),
        (TRUTH, reading("bad_image"), "not found", 14),
    ],
)
def test_outcomes(about: Any, read: Any, outcome: str, wrong: int) -> None:
    judged = Judged(about, read)
    assert (judged.outcome, judged.wrong_seats) == (outcome, wrong)


def test_a_mirror_image_is_wrong() -> None:
    assert Judged(TRUTH, reading("certain", MIRRORED, 1.0)).outcome == "SILENT ERROR"


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("no_tray", "refused"), ("bad_image", "refused"), ("uncertain", "false tray")],
)
def test_pictures_without_a_tray(status: str, outcome: str) -> None:
    judged = Judged(NEGATIVE, reading(status, ONE_OFF if outcome == "false tray" else None))
    assert judged.outcome == outcome
    assert judged.confidence is None
    assert not judged.decidable


def test_a_photo_is_decidable_if_at_most_one_sphere_of_fifteen_is_hidden() -> None:
    found = reading("uncertain", ONE_OFF, 0.5)
    assert Judged(truth(1.0, 0.03), found).decidable
    assert Judged(truth(1.0, 0.029), found).decidable
    assert not Judged(truth(1.0, 0.029, stored=3), found).decidable
    assert not Judged(truth(0.01, 0.02), found).decidable


JUDGED = [
    Judged(TRUTH, reading("certain", TURNED, 0.99)),
    Judged(TRUTH, reading("uncertain", TURNED, 0.8)),
    Judged(TRUTH, reading("uncertain", ONE_OFF, 0.4)),
    Judged(TRUTH, reading("certain", ONE_OFF, 0.99)),
    Judged(TRUTH, reading("no_tray")),
    Judged(NEGATIVE, reading("no_tray")),
    Judged(NEGATIVE, reading("uncertain", ONE_OFF, 0.3)),
]


def test_a_tally_counts_each_outcome() -> None:
    tally = Tally.of(JUDGED)
    assert tally == Tally(
        photos=5,
        exact=2,
        seats=1 - 16 / 70,
        certain=2,
        silent_errors=1,
        not_found=1,
        negatives=2,
        false_trays=1,
    )


def test_the_table_has_a_line_for_each_word() -> None:
    lines = table(JUDGED, {"read": lambda judged: judged.reading["status"]}).splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == [
        "all",
        "decidable",
        "read certain",
        "read no_tray",
        "read uncertain",
    ]
    assert "40.0%" in lines[1]
    assert "1/2" in lines[1]


def test_only_trays_that_were_read_have_a_confidence() -> None:
    assert pairs(JUDGED) == [(0.99, True), (0.8, True), (0.4, False), (0.99, False)]


def test_the_calibration_error_of_equally_filled_bins() -> None:
    honest = [(0.5 + number / 1e9, number % 2 == 0) for number in range(100)]
    assert calibration_error(honest) == pytest.approx(0.0, abs=1e-6)
    boastful = [(sure + 0.4, right) for sure, right in honest]
    assert calibration_error(boastful) == pytest.approx(0.4, abs=1e-6)
    # ten bins of one: each is off by how far it is from being right or wrong
    assert calibration_error([(0.1 * i, i > 4) for i in range(10)]) == pytest.approx(0.25)
    assert [size for *_, size in bins([(0.5, True)] * 25)] == [2, 3] * 5


def test_wilsons_interval() -> None:
    assert wilson(97, 100) == pytest.approx((0.9155, 0.9897), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)
