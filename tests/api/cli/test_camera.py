"""``trayscore calibrate camera`` and its board: what they write and print, and every refusal."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from api.cli import main
from calibration.camera import Camera, Pose, View
from calibration.camera_file import load_camera
from calibration.charuco import board_pdf
from tests.calibration.printed import photograph

SAMPLES = Path(__file__).parents[2] / "sample_images"
CAMERA = Camera(640, 480, 560.0, (322.0, 237.0), k1=-0.05)


def trayscore(*words: object) -> int:
    """Exit status of ``trayscore calibrate`` with these words."""
    return main(["calibrate", *map(str, words)])


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
    ):
        with pytest.raises(SystemExit) as caught:
            trayscore(*words)
        assert caught.value.code == 2


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("what", ["board", "camera-board"])
def test_board(tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, paper: str) -> None:
    file = tmp_path / "board.pdf"
    assert trayscore(what, "-o", file, "--paper", paper) == 0
    assert file.read_bytes() == board_pdf(paper)
    assert "squares of 25 mm" in capsys.readouterr().out
    assert [*tmp_path.iterdir()] == [file]


def test_a_place_that_cannot_be_written_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "nowhere" / "board.pdf"
    assert trayscore("board", "-o", file) == 1
    assert f"{file} cannot be written: No such file or directory." in capsys.readouterr().err


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
    assert f"{blank}: too little of the board can be seen" in printed.err


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
        assert trayscore("camera", photo, blank, "-o", file) == 1
        assert reason in capsys.readouterr().err
    assert not file.exists()
