"""``trayscore calibrate tray`` and ``sheet``: what they write and print, and every refusal."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from api.cli import main
from api.games.dimension.command_line import calibrating
from calibration.camera import Camera, Pose, View
from calibration.dimension.profile import load_profile
from calibration.dimension.start.check import Refusal
from calibration.dimension.start.measure import Measured
from calibration.fiducials import Picture

SAMPLES = Path(__file__).parents[4] / "sample_images"
CAMERA = Camera(640, 480, 560.0, (322.0, 237.0), k1=-0.05)


def trayscore(*words: object) -> int:
    """Exit status of ``trayscore calibrate`` with these words."""
    return main(["calibrate", *map(str, words)])


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    file = tmp_path / "blank.png"
    cv2.imwrite(str(file), np.full((480, 640, 3), 200, dtype=np.uint8))
    return file


@pytest.fixture
def text(tmp_path: Path) -> Path:
    file = tmp_path / "letter.jpg"
    file.write_text("Dear Sirs, this is no picture.")
    return file


def test_bad_usage_is_2() -> None:
    for words in (
        ["sheet"],
        ["tray", "start.jpg"],
        ["tray", "-o", "mine.json"],
        ["tray", "start.jpg", "-o", "mine.json", "--sphere-mm", "-25"],
        ["tray", "start.jpg", "-o", "mine.json", "--sphere-mm", "nan"],
        ["tray", "start.jpg", "-o", "mine.json", "--sphere-mm", "wide"],
        ["tray", "start.jpg", "-o", "mine.json", "--name", "../mine"],
    ):
        with pytest.raises(SystemExit) as caught:
            trayscore(*words)
        assert caught.value.code == 2


@pytest.mark.parametrize("option", ["--profile", "--tray"])
def test_sheet(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sheet.pdf"
    assert trayscore("sheet", "-o", file, option, "pentagon", "--paper", "letter") == 0
    assert file.read_bytes().startswith(b"%PDF-")
    printed = capsys.readouterr()
    assert "place mat for pentagon" in printed.out
    assert printed.err == ""


def test_sheet_for_a_tray_of_assumed_size_warns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = load_profile("disc").to_json() | {"name": "mine", "scale": "assumed"}
    tray = tmp_path / "mine.json"
    tray.write_text(json.dumps(profile | {"outline": None}), "utf-8")
    assert trayscore("sheet", "-o", tmp_path / "sheet.pdf", "--tray", tray) == 0
    assert "the size of mine was assumed" in capsys.readouterr().err


def test_sheet_refuses_an_unknown_tray(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sheet.pdf"
    assert trayscore("sheet", "-o", file, "--tray", "hexagon") == 1
    assert "There is no tray profile 'hexagon'" in capsys.readouterr().err
    assert not file.exists()


def test_sheet_refuses_a_tray_that_is_too_large(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tray, file = tmp_path / "large.json", tmp_path / "sheet.pdf"
    outline = {"shape": "disc", "radius_mm": 120.0}
    tray.write_text(json.dumps(load_profile("disc").to_json() | {"outline": outline}), "utf-8")
    assert trayscore("sheet", "-o", file, "--tray", tray) == 1
    assert "--paper a3" in capsys.readouterr().err
    assert not file.exists()
    assert trayscore("sheet", "-o", file, "--tray", tray, "--paper", "a3") == 0


def test_what_cannot_be_read_is_refused(
    tmp_path: Path, blank: Path, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "written.json"
    missing, empty = tmp_path / "missing.jpg", tmp_path / "empty.jpg"
    empty.touch()
    for photo, reason in (
        (missing, f"There is no file {missing}."),
        (empty, f"{empty}: The file is empty."),
        (text, f"{text}: This is not a photo that can be read"),
    ):
        assert trayscore("tray", photo, blank, "-o", file) == 1
        assert reason in capsys.readouterr().err
    assert not file.exists()


Measuring = Callable[..., Measured | Refusal]
MeasureBy = Callable[[Measuring], None]
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> MeasureBy:
    """Put another function in the place of the one that measures trays, which has its own tests."""
    return lambda measure: monkeypatch.setattr(calibrating, "measure", measure)


def measured_disc(*warnings: str, **change: Any) -> Measuring:
    """What stands for measuring a tray: of the photos given, the first is left out."""
    view = View(CAMERA, Pose.looking_at((0.0, -80.0, 220.0)))
    spread = {"measured": {"pitch_mm": 0.123}, "colors": {"O": (68.0, 23.0, 53.0)}}

    def measure(photos: list[Picture], sphere_mm: float | None, name: str, **_: Any) -> Measured:
        scale = {"scale": "given" if sphere_mm else "assumed"}
        profile = replace(load_profile("disc"), **{"name": name, **scale, **spread, **change})
        return Measured(profile, (None, *[view] * (len(photos) - 1)), warnings)

    return measure


def test_tray(tmp_path: Path, blank: Path, measuring: MeasureBy, capsys: Printed) -> None:
    measuring(measured_disc("There is more than one tray in the photo."))
    file, overlay = tmp_path / "my tray.json", tmp_path / "check.png"
    words = ["tray", blank, blank, "-o", file, "--sphere-mm", 25, "--overlay", overlay]
    assert trayscore(*words) == 0
    profile = load_profile(file)
    assert (profile.name, profile.scale, profile.pitch_mm) == ("my-tray", "given", 21.5)
    drawn = cv2.imread(str(overlay))
    assert drawn is not None
    assert (drawn != cv2.imread(str(blank))).any()
    printed = capsys.readouterr()
    assert "± 0.12" in printed.out
    assert "orange" in printed.out
    assert printed.err == "trayscore: warning: There is more than one tray in the photo.\n"
    assert sorted(tmp_path.iterdir()) == sorted([blank, file, overlay])


def test_tray_of_a_given_name_and_no_given_size(
    tmp_path: Path, blank: Path, measuring: MeasureBy, capsys: Printed
) -> None:
    measuring(measured_disc())
    file = tmp_path / "tray.json"
    assert trayscore("tray", blank, blank, "-o", file, "--name", "kitchen.2") == 0
    assert (load_profile(file).name, load_profile(file).scale) == ("kitchen.2", "assumed")
    assert "taking a sphere for 20 mm" in capsys.readouterr().out


def test_the_focal_length_in_a_photo_s_header_is_passed_on(
    tmp_path: Path, measuring: MeasureBy
) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "Trayscore"
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm.value] = 26
    file = tmp_path / "start.jpg"
    Image.new("RGB", (400, 300), "gray").save(file, exif=exif)
    seen: list[float | None] = []

    def measure(_: list[Picture], focals: list[float | None], **__: Any) -> Refusal:
        seen.extend(focals)
        return Refusal("no_tray", "Nothing here.")

    measuring(measure)
    trayscore("tray", file, "-o", tmp_path / "tray.json")
    assert seen == [pytest.approx(300.46, abs=0.01)]


def test_tray_from_a_start_photo(tmp_path: Path) -> None:
    file = tmp_path / "disc.json"
    assert trayscore("tray", SAMPLES / "02410.jpg", "-o", file, "--sphere-mm", 20) == 0
    found, true = load_profile(file), load_profile("disc")
    assert found.pitch_mm == pytest.approx(true.pitch_mm, rel=0.02)
    assert found.slot_radius_mm == pytest.approx(true.slot_radius_mm, rel=0.02)


def test_tray_refuses_a_photo_without_a_tray(tmp_path: Path, capsys: Printed) -> None:
    file, overlay = tmp_path / "tray.json", tmp_path / "check.png"
    assert trayscore("tray", SAMPLES / "dice-08.jpg", "-o", file, "--overlay", overlay) == 1
    assert "There is no tray" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


def test_tray_writes_no_profile_that_could_not_be_loaded(
    tmp_path: Path, blank: Path, measuring: MeasureBy, capsys: Printed
) -> None:
    measuring(measured_disc(pitch_mm=19.0))
    file = tmp_path / "tray.json"
    assert trayscore("tray", blank, blank, "-o", file) == 1
    assert "spheres would collide" in capsys.readouterr().err
    assert not file.exists()


def test_tray_writes_no_profile_when_the_overlay_cannot_be_written(
    tmp_path: Path, blank: Path, measuring: MeasureBy, capsys: Printed
) -> None:
    measuring(measured_disc())
    file, overlay = tmp_path / "tray.json", tmp_path / "nowhere" / "check.png"
    assert trayscore("tray", blank, blank, "-o", file, "--overlay", overlay) == 1
    assert "check.png cannot be written" in capsys.readouterr().err
    assert not file.exists()


def test_an_earlier_profile_stays_when_a_tray_is_refused(
    tmp_path: Path, blank: Path, measuring: MeasureBy
) -> None:
    measuring(lambda _, **__: Refusal("no_tray", "Nothing here."))
    file = tmp_path / "tray.json"
    file.write_text("precious", "utf-8")
    assert trayscore("tray", blank, "-o", file) == 1
    assert file.read_text("utf-8") == "precious"
