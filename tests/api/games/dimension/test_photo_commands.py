import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from api.cli import main
from api.games.dimension.command_line import photos
from calibration.dimension.profile import TrayProfile
from tests.vision.dimension.readings import make_reading
from vision.dimension.reading import Reading
from vision.photo import BadImageError, load_photo

PYRAMID = "OKBGGWB/K.B.O./K"
SAMPLE = Path(__file__).parents[4] / "sample_images" / "01006.jpg"


class Knowing:
    """A reader that reads every photo alike."""

    shows: ClassVar[Reading] = make_reading(PYRAMID, status="certain")
    asked: ClassVar[list[Sequence[TrayProfile] | None]] = []

    def __init__(self, trays: Sequence[TrayProfile] | None = None) -> None:
        self.asked.append(trays)

    def read(self, photo: bytes | str | Path) -> Reading:
        try:
            load_photo(photo)
        except BadImageError as error:
            return Reading.refused("", "bad_image", error.text)
        return self.shows

    def read_together(self, photos: Sequence[bytes | str | Path]) -> Reading:
        return replace(self.shows, photo=tuple(map(str, photos)), status="uncertain")


@pytest.fixture(autouse=True)
def knowing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos, "Reader", Knowing)
    monkeypatch.setattr(Knowing, "asked", [])


def run(*arguments: str) -> int:
    return main(["read", *arguments])


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    told = capsys.readouterr()
    assert told.err == ""
    return [json.loads(line) for line in told.out.splitlines()]


def test_one_object_a_line_in_the_order_of_the_photos(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing, rubbish = str(tmp_path / "missing.jpg"), tmp_path / "rubbish.png"
    rubbish.write_bytes(b"rubbish")
    assert run("--json", str(SAMPLE), missing, str(rubbish), str(SAMPLE)) == 0
    told = lines(capsys)
    assert [line["photo"] for line in told] == [str(SAMPLE), missing, str(rubbish), str(SAMPLE)]
    statuses = [line["status"] for line in told]
    assert statuses == ["certain", "bad_image", "bad_image", "certain"]
    assert told[1]["layout"] is None
    assert all(Reading.from_json(line).to_json() == line for line in told)


def test_several_photos_at_a_time_keep_their_order(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With the true reader: worker processes know nothing of a stand-in."""
    photos = [str(tmp_path / "none.jpg"), str(SAMPLE), str(tmp_path / "missing.jpg")]
    assert run("--json", "--jobs", "2", *photos) == 0
    told = lines(capsys)
    assert [line["photo"] for line in told] == photos
    assert told[0]["status"] == told[2]["status"] == "bad_image"
    assert told[1]["status"] != "bad_image"


def test_photos_of_one_tray_give_one_reading(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "--same-tray", str(SAMPLE), "b.jpg") == 0
    (line,) = lines(capsys)
    assert line["photo"] == [str(SAMPLE), "b.jpg"]
    assert line["status"] == "uncertain"


def test_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(SAMPLE), "missing.jpg") == 0
    shown = capsys.readouterr().out
    assert PYRAMID in shown
    assert "certain" in shown
    assert "bad_image" in shown


def test_drawings_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "new" / "drawings"
    assert run("--json", "--overlay", str(folder), str(SAMPLE), str(SAMPLE), "missing.jpg") == 0
    assert sorted(file.name for file in folder.iterdir()) == ["01006-2.png", "01006.png"]
    assert load_photo(folder / "01006.png").size == (1024, 768)


def test_drawings_need_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert run("--overlay", str(tmp_path / "file" / "x"), str(SAMPLE)) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--profile", "--tray"])
def test_the_tray_is_chosen_by_name_or_file(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--json", str(SAMPLE)) == 0
    assert run("--json", option, "pentagon", str(SAMPLE)) == 0
    assert Knowing.asked[0] is None
    assert Knowing.asked[1] is not None
    assert [tray.name for tray in Knowing.asked[1]] == ["pentagon"]
    assert run(option, "none-of-that-name", str(SAMPLE)) == 2
    assert "no tray profile" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["--jobs", "0", "x.jpg"], ["--jobs", "many", "x.jpg"]])
def test_bad_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*arguments)
    assert caught.value.code == 2


def score(*arguments: str, photo: Path = SAMPLE) -> int:
    return main(["score", str(photo), "--cards", "touch:BK,exactly:2O", *arguments])


def test_a_photo_is_scored_with_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert score() == 0
    shown = capsys.readouterr().out
    assert "Blue meets black" in shown
    assert "certain" in shown


def test_a_photo_is_scored_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert score("--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["points"] == 11
    assert answer["doubt"]["cards"] == {"touch:BK": 1.0, "exactly:2O": 1.0}
    assert answer["reading"]["layout"] == PYRAMID


def test_no_photo_no_score(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish.jpg"
    rubbish.write_bytes(b"rubbish")
    assert score(photo=rubbish) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "rubbish.jpg" in told.err


def test_a_score_in_doubt_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    doubtful = make_reading(PYRAMID, alternatives={"BKBGGWB/K.B.O./K": 0.3}, doubts={"C": 0.7})
    monkeypatch.setattr(Knowing, "shows", doubtful)
    assert score() == 0
    shown = capsys.readouterr().out
    assert "uncertain" in shown
    assert "9 points: 30.0%" in " ".join(shown.split())


def test_an_impossible_count_is_read_but_not_scored(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    borrowed = make_reading("OOOO.../....../.", warnings=("color_count_impossible",))
    monkeypatch.setattr(Knowing, "shows", borrowed)
    assert score() == 1
    assert "too_many" in capsys.readouterr().err
