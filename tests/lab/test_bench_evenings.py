"""Evenings with trays of unknown make: found by their names, measured, then read."""

from pathlib import Path

import pytest

from lab.bench_evenings import evenings, main
from lab.bench_readings import Pictured


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
    assert "lab.make --group evenings" in capsys.readouterr().err
