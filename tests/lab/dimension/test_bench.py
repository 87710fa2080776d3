"""The bench: an even design, rows that tell all, and figures that follow from them."""

import json
from collections import Counter
from pathlib import Path

import pytest

from lab.dimension.bench import __main__ as bench
from lab.dimension.bench.accuracy import Judged
from lab.dimension.bench.charts import coverage_risks
from lab.dimension.bench.costs import decode_seconds, stage_times
from lab.dimension.bench.readings import pictures, read_all, write_rows
from lab.dimension.bench.sweep import FILLS, NOISES, TILTS, design, render
from lab.dimension.setting import LIGHTS
from rules.dimension.layout import Layout

SAMPLES = Path(__file__).parents[3] / "sample_images"


def test_each_level_of_each_factor_comes_equally_often() -> None:
    points = design(140, seed=1)
    for factor, levels in (("tilt_deg", TILTS), ("light", LIGHTS), ("fill", FILLS)):
        counts = Counter(getattr(point, factor) for point in points)
        assert set(counts.values()) == {140 // len(levels)}
    assert len({(point.light, point.noise) for point in points}) > 20  # not in step
    assert design(140, seed=1) == points
    assert design(140, seed=2) != points


def test_the_sweep_is_as_it_was_designed(tmp_path: Path) -> None:
    (point,) = design(1, seed=3)
    list(render(tmp_path, 1, seed=3, jobs=1))
    (made,) = pictures(tmp_path)
    assert (made.truth["light"], made.truth["noise"]) == (point.light, point.noise)
    assert point.tilt_deg[0] <= made.truth["tilt_deg"] <= point.tilt_deg[1]
    assert point.fill[0] <= len(Layout.parse(made.truth["layout"])) <= point.fill[1]
    assert point.noise in NOISES


def test_rows_tell_what_was_read_and_what_is_true(tmp_path: Path) -> None:
    chosen = [one for one in pictures(SAMPLES) if one.file.name in ("01211.jpg", "lab-play.jpg")]
    rows = list(read_all(chosen, jobs=1))
    write_rows(rows, tmp_path / "rows.jsonl")
    written = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [row["truth"]["file"] for row in written] == ["01211.jpg", "lab-play.jpg"]
    for row, line in zip(rows, written, strict=True):
        assert line["outcome"] == row.outcome
        assert line["reading"]["photo"] == row.file.name
        assert line["confidence"] == pytest.approx(row.reading["confidence"], abs=1e-6)
    # the lab's tray is read by its own measures, not by those of a built-in one
    assert all(row.wrong_seats == 0 for row in rows)


@pytest.mark.parametrize(
    ("tilt", "word"), [(0.0, "00–15°"), (29.9, "15–30°"), (50, "45–55°"), (58, "55° and more")]
)
def test_tilts_in_words(tilt: float, word: str) -> None:
    assert bench.tilt_word(Judged({"tilt_deg": tilt}, {})) == word


@pytest.mark.parametrize(
    ("layout", "word"),
    [("......./....../.", " 0"), ("O....../....../.", " 1–4"), ("OKBGGWB/K.B.O./K", " 9–11")],
)
def test_fill_in_words(layout: str, word: str) -> None:
    assert bench.fill_word(Judged({"layout": layout}, {})) == word


def test_risk_and_coverage() -> None:
    taken, risk = coverage_risks([(0.7, False), (0.9, True), (0.8, True), (0.6, True)])
    assert taken.tolist() == [1, 2, 3, 4]
    assert risk.tolist() == pytest.approx([0, 0, 1 / 3, 1 / 4])


def test_times_are_multiples_of_the_decode() -> None:
    file = SAMPLES / "01211.jpg"
    times = stage_times([file])
    stages = [times.median(stage) for stage in ("decode", "locate", "observe", "infer")]
    assert min(stages) > 0
    assert sum(stages) <= times.median("total") * 1.001
    assert decode_seconds(file.read_bytes()) > 0


def test_the_bench_prints_tables_and_draws_charts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [one for one in pictures(SAMPLES) if one.file.name in ("01211.jpg", "dice-08.jpg")]
    monkeypatch.setattr(bench, "pictures", lambda _: few)
    assert bench.main(["--count", "0", "--no-costs", "--jobs", "1", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "decidable" in shown
    assert "0/1" in shown
    for name in ("reliability.png", "risk_coverage.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 2
