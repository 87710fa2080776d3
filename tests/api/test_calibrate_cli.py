"""``trayscore calibrate``: what each command writes and prints, and every refusal."""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from api.cli import calibrate_commands
from api.cli.calibrate import add_parsers
from calibration.camera import Camera, Pose, View
from calibration.camera_file import load_camera
from calibration.charuco import board_pdf
from calibration.dimension.profile import load_profile
from calibration.dimension.start.check import Refusal
from calibration.dimension.start.measure import Measured
from calibration.fiducials import Picture
from tests.calibration.printed import photograph

SAMPLES = Path(__file__).parents[2] / "sample_images"
CAMERA = Camera(640, 480, 560.0, (322.0, 237.0), k1=-0.05)


def trayscore(*words: object) -> int:
    """Exit status of ``trayscore calibrate`` with these words."""
    parser = argparse.ArgumentParser("trayscore")
    add_parsers(parser.add_subparsers(required=True))
    args = parser.parse_args(["calibrate", *map(str, words)])
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def board_photo(file: Path, tilt: float, towards: float) -> Path:
    """A photo of the printed board from this tilt and direction, in degrees."""
    slope, turn = np.radians([tilt, towards])
    sideways = np.sin(slope)
    eye = 290 * np.array([sideways * np.cos(turn), sideways * np.sin(turn), np.cos(slope)])
    view = View(CAMERA, Pose.looking_at(eye, roll_deg=90 + towards))
    cv2.imwrite(str(file), photograph(board_pdf("a4"), view, (105, 160)))
    return file


@pytest.fixture(scope="module")
def board_photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("board")
    around = [(0, 0), (30, 0), (30, 90), (30, 180), (30, 270)]
    return [board_photo(folder / f"{i}.png", *where) for i, where in enumerate(around)]


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
        ["calibrate"],
        ["board"],
        ["board", "-o", "x.pdf", "--paper", "a5"],
        ["camera", "-o", "x.json"],
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


def test_parsing_loads_no_opencv() -> None:
    """The other commands must start fast, and share the parser."""
    code = "import sys, api.cli.calibrate; sys.exit('cv2' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_board(tmp_path: Path, capsys: pytest.CaptureFixture[str], paper: str) -> None:
    file = tmp_path / "board.pdf"
    assert trayscore("board", "-o", file, "--paper", paper) == 0
    assert file.read_bytes() == board_pdf(paper)
    assert "squares of 25 mm" in capsys.readouterr().out
    assert [*tmp_path.iterdir()] == [file]


def test_a_place_that_cannot_be_written_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "nowhere" / "board.pdf"
    assert trayscore("board", "-o", file) == 1
    assert f"{file} cannot be written: No such file or directory." in capsys.readouterr().err


def test_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sheet.pdf"
    assert trayscore("sheet", "-o", file, "--tray", "pentagon", "--paper", "letter") == 0
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


def test_camera(
    tmp_path: Path, board_photos: list[Path], blank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "camera.json"
    assert trayscore("camera", *board_photos, blank, "-o", file) == 0
    camera = load_camera(file)
    assert (camera.width, camera.height) == (640, 480)
    assert camera.focal_px == pytest.approx(560, rel=0.01)
    printed = capsys.readouterr()
    assert "focal length" in printed.out
    assert "for photos of 640 × 480" in printed.out
    assert f"{blank}: the board is not to be seen" in printed.err


def test_photos_of_a_turned_phone_are_taken_as_the_sensor_saw_them(
    tmp_path: Path, board_photos: list[Path]
) -> None:
    plain, turned = tmp_path / "plain.json", tmp_path / "turned.json"
    for number, (photo, orientation) in enumerate(zip(board_photos, (1, 3, 6, 8, 6), strict=True)):
        how = Image.Exif()
        how[ExifTags.Base.Orientation] = orientation
        Image.open(photo).save(tmp_path / f"{number}.png", exif=how)
    assert trayscore("camera", *board_photos, "-o", plain) == 0
    assert trayscore("camera", *sorted(tmp_path.glob("*.png")), "-o", turned) == 0
    found, expected = load_camera(turned), load_camera(plain)
    assert (found.width, found.height) == (640, 480)
    assert found.focal_px == pytest.approx(expected.focal_px, rel=1e-6)
    assert found.principal == pytest.approx(expected.principal, rel=1e-6)


def test_camera_refuses_too_few_photos(
    tmp_path: Path, board_photos: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "camera.json"
    assert trayscore("camera", *board_photos[:3], "-o", file) == 1
    assert "found in 3 photos; 4 are needed" in capsys.readouterr().err
    assert not file.exists()


def test_the_same_photo_four_times_is_one_photo(
    tmp_path: Path, board_photos: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert trayscore("camera", *[board_photos[1]] * 4, "-o", tmp_path / "camera.json") == 1
    assert "found in 1 photos" in capsys.readouterr().err


def test_camera_refuses_photos_all_from_above(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    above = [board_photo(tmp_path / f"{i}.png", i, 80 * i) for i in range(4)]
    assert trayscore("camera", *above, "-o", tmp_path / "camera.json") == 1
    assert "from the same direction" in capsys.readouterr().err
    assert not (tmp_path / "camera.json").exists()


@pytest.mark.parametrize("what", ["camera", "tray"])
def test_what_cannot_be_read_is_refused(
    tmp_path: Path, blank: Path, text: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "written.json"
    missing, empty = tmp_path / "missing.jpg", tmp_path / "empty.jpg"
    empty.touch()
    for photo, reason in (
        (missing, f"There is no file {missing}."),
        (empty, f"{empty}: The file is empty."),
        (text, f"{text}: This is not a photo that can be read"),
    ):
        assert trayscore(what, photo, blank, "-o", file) == 1
        assert reason in capsys.readouterr().err
    assert not file.exists()


Measuring = Callable[..., Measured | Refusal]
MeasureBy = Callable[[Measuring], None]
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> MeasureBy:
    """Put another function in the place of the one that measures trays, which has its own tests."""
    return lambda measure: monkeypatch.setattr(calibrate_commands, "measure", measure)


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
