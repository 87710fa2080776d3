"""Fitting confidence, on samples of which the truth is known because they are made up."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lab.dimension.training import fit_confidence
from lab.dimension.training.fit_confidence import (
    BARE,
    JudgedPicture,
    certain_ceiling,
    crossed,
    fit,
    fitted_lines,
    lowest_bar,
    main,
    measured,
    observe,
)
from vision.dimension.reporting.confidence import Confidence

SAMPLES = Path(__file__).parents[3] / "sample_images"


def sample(seed: int, count: int, slope: float = 1.0, offset: float = 0.0) -> list[JudgedPicture]:
    """Posteriors of a reader whose true odds are a line of what it says."""
    rng = np.random.default_rng(seed)
    said = rng.normal(5.0, 3.0, count)
    truly = 1 / (1 + np.exp(-(slope * said + offset)))
    right = rng.random(count) < truly
    pairs = zip(1 / (1 + np.exp(-said)), right, strict=True)
    return [
        JudgedPicture(float(p), bool(is_right), blocked=False, tray=True) for p, is_right in pairs
    ]


def silent(seen: list[JudgedPicture], confidence: Confidence) -> int:
    return sum(
        not one.right and confidence.is_certain(one.confidence(confidence), ()) for one in seen
    )


def test_an_honest_posterior_is_left_as_it_is() -> None:
    _, line = fitted_lines(sample(1, 4000))
    assert (line.slope, line.offset) == pytest.approx((1.0, 0.0), abs=0.12)


def test_a_boastful_one_is_taken_down() -> None:
    _, line = fitted_lines(sample(2, 4000, slope=0.5, offset=-0.4))
    assert (line.slope, line.offset) == pytest.approx((0.5, -0.4), abs=0.12)


def test_views_are_taken_down_apart_from_layouts() -> None:
    rng = np.random.default_rng(8)
    said = 1 / (1 + np.exp(-rng.normal(2.0, 2.0, 6000)))
    right = rng.random(6000) < said / (said + 3 * (1 - said))
    views = [
        JudgedPicture(0.99999999, bool(is_right), blocked=False, tray=True, view=float(view))
        for view, is_right in zip(said, right, strict=True)
    ]
    view, layout = fitted_lines([*views, *sample(9, 4000)])
    assert (view.slope, view.offset) == pytest.approx((1.0, -np.log(3)), abs=0.15)
    assert (layout.slope, layout.offset) == pytest.approx((1.0, 0.0), abs=0.15)


def test_few_pictures_bend_the_line_little() -> None:
    _, line = fitted_lines([JudgedPicture(0.999, right=False, blocked=False, tray=True)])
    assert (line.slope, line.offset) == pytest.approx((1.0, 0.0), abs=1.0)
    assert line.slope < 1.0


def test_the_ceiling_is_the_rule_of_three() -> None:
    all_right = [JudgedPicture(0.9999, right=True, blocked=False, tray=True)] * 1000
    assert certain_ceiling(all_right, BARE) == pytest.approx(1 - 3 / 1000, abs=2e-5)
    one_wrong = [*all_right, JudgedPicture(0.99999, right=False, blocked=False, tray=True)]
    assert certain_ceiling(one_wrong, BARE) == pytest.approx(1 - 4.74 / 1001, abs=2e-5)


@pytest.mark.parametrize("risk", [0.001, 0.005, 0.02])
def test_no_more_errors_above_the_bar_than_the_risk_allows(risk: float) -> None:
    seen = sample(3, 3000, slope=0.7)
    bar = lowest_bar(seen, BARE, risk)
    errors = silent(seen, replace(BARE, certain_from=bar))
    assert (errors + 1) / (len(seen) + 1) <= risk


def test_the_risk_of_the_next_picture_is_kept_on_average() -> None:
    """By conformal risk control, though the fitted line is wrong."""
    risk, errors, future = 0.005, 0, sample(999, 20_000, slope=0.45)
    for seed in range(40):
        fitted = replace(BARE, certain_from=lowest_bar(sample(seed, 600, slope=0.45), BARE, risk))
        errors += silent(future, fitted)
    assert errors / (40 * len(future)) <= risk


def test_a_small_sample_with_an_error_sets_the_bar_above_it() -> None:
    sure = [
        JudgedPicture(0.9999999 - i * 1e-9, right=True, blocked=False, tray=True) for i in range(50)
    ]
    wrong = JudgedPicture(0.99, right=False, blocked=False, tray=True)
    fitted = fit([*sure, wrong])
    assert silent([wrong], fitted) == 0
    assert "too few" in fitted.experiment


def test_among_equals_the_wrong_one_counts() -> None:
    tied = [JudgedPicture(0.999, right=i != 3, blocked=False, tray=True) for i in range(10)]
    assert silent(tied, replace(BARE, certain_from=lowest_bar(tied, BARE, 0.01))) == 0


def test_a_reading_that_a_warning_blocks_moves_no_bar() -> None:
    seen = sample(4, 2000)
    blocked = JudgedPicture(1 - 1e-9, right=False, blocked=True, tray=True)
    assert lowest_bar([*seen, blocked], BARE, 0.01) == pytest.approx(lowest_bar(seen, BARE, 0.01))


def test_a_tray_where_there_is_none_is_an_error() -> None:
    seen = sample(5, 500)
    invented = JudgedPicture(1 - 1e-7, right=False, blocked=False, tray=False)
    fitted = fit([*seen, invented])
    assert silent([invented], fitted) == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_bar_is_within_reach(seed: int) -> None:
    fitted = fit(sample(seed, 400), risk=0.01)
    assert fitted.certain_from <= fitted.ceiling < 1.0
    assert fitted.is_certain(fitted.calibrated(1.0, 1.0), ())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three sample images with their truth."""
    names = ("01211.jpg", "02100.jpg", "dice-08.jpg")
    lines = (SAMPLES / "truth.jsonl").read_text("utf-8").splitlines()
    chosen = [line for line in lines if json.loads(line)["file"] in names]
    (tmp_path / "truth.jsonl").write_text("\n".join(chosen), "utf-8")
    for name in names:
        shutil.copy(SAMPLES / name, tmp_path)
    return tmp_path


def test_what_was_read_is_kept_for_the_same_reader(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = observe(folder, jobs=1)
    assert [one.tray for one in seen].count(False) == 1
    monkeypatch.setattr(fit_confidence, "in_processes", lambda *_: pytest.fail("read again"))
    assert observe(folder, jobs=1) == seen
    monkeypatch.setattr(fit_confidence, "fingerprint", lambda: "another reader")
    with pytest.raises(pytest.fail.Exception, match="read again"):
        observe(folder, jobs=1)


def test_the_file_that_is_written_can_be_shipped(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "confidence.json"
    assert main([str(folder), "--test", str(folder), "--jobs", "1", "--out", str(out)]) == 0
    fitted = Confidence.from_json(json.loads(out.read_text("utf-8")))
    assert "2 pictures with a tray and 1 without" in fitted.experiment


def test_pictures_are_measured_by_fits_that_left_them_out() -> None:
    seen = sample(9, 400)
    told = crossed(seen)
    assert told.startswith("400 pictures with a tray and 0 without")
    # One wrong reading that is surer than all others: a fit that has seen it would not be certain.
    lone = replace(seen[0], posterior=1 - 1e-12, right=False)
    assert "0 silent errors" in measured([lone, *seen[1:]], fit([lone, *seen[1:]]))
    assert "1 silent errors" in crossed([lone, *seen[1:]])
