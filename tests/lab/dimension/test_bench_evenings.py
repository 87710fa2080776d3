"""Evenings with trays of unknown make: found by their names, measured, then read."""

from pathlib import Path

import pytest

from lab.dimension.bench.evenings import MEASURED, TRUE, evenings, main, read_evening
from lab.dimension.bench.readings import Pictured, pictures
from lab.dimension.make import Wishes, plan, write_one


def pictured(name: str, kind: str) -> Pictured:
    return Pictured(Path(f"{name}.jpg"), {"kind": kind})


def test_an_evening_is_a_start_photo_and_what_follows() -> None:
    shots = [pictured("7-0-1", "play"), pictured("7-0-0", "start"), pictured("7-0-2", "play")]
    (evening,) = evenings(shots)
    assert evening.name == "7-0"
    assert evening.start is shots[1]
    assert [one.file.stem for one in evening.play] == ["7-0-1", "7-0-2"]


@pytest.mark.parametrize(
    "shots",
    [
        [],
        [pictured("7-0-0", "start")],
        [pictured("7-0-0", "play"), pictured("7-0-1", "play")],
        [pictured("7-0-0", "start"), pictured("7-1-1", "play")],
    ],
    ids=["nothing", "no play", "no start", "another evening's play"],
)
def test_what_is_no_evening_is_not_taken_for_one(shots: list[Pictured]) -> None:
    assert evenings(shots) == []


def test_without_evenings_there_is_nothing_to_measure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "truth.jsonl").write_text("", encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    assert "lab.dimension.make --group evenings" in capsys.readouterr().err


@pytest.mark.slow
def test_a_tray_of_unknown_make_is_measured_and_then_read(tmp_path: Path) -> None:
    start_and_play = list(plan(6, 851, Wishes(), "evenings"))[35:38]
    lines = [write_one(tmp_path, job) for job in start_and_play]
    (tmp_path / "truth.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (evening,) = evenings(pictures(tmp_path))
    told = read_evening(evening)
    assert told.refused is None
    for known in (MEASURED, TRUE):
        assert [row.exact for row in told.rows[known]] == [True, True]
