"""The place mat: what is printed, and the view of a tray by the markers around it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Pose, View
from calibration.camera_file import CameraFileError
from calibration.charuco import board_pdf
from calibration.dimension.geometry import seat_array
from calibration.dimension.outline import Disc
from calibration.dimension.place_mat import find_markers, marker_corners, mat_markers, pose_from_mat
from calibration.dimension.place_mat_pdf import SheetRefusedError, sheet_pdf, tray_outline
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.fiducials import Picture
from calibration.pdf import MARGIN_MM, PAPERS
from lab.rendering.printing import rasterise
from tests.calibration.printed import photograph

DISC = load_profile("disc")
SEATS = seat_array(DISC)
FACE = 2.0


def view(tilt: float, towards: float, camera: Camera, roll: float = 90) -> View:
    """A view with the whole A4 mat in the picture, or nearly so when tilted."""
    slope, turn = np.radians([tilt, towards])
    sideways = np.sin(slope)
    eye = np.array([sideways * np.cos(turn), sideways * np.sin(turn), np.cos(slope)])
    return View(camera, Pose.looking_at(eye * camera.focal_px * 380 / camera.width, roll_deg=roll))


def picture_of(
    seen: View, paper: str = "a4", profile: TrayProfile = DISC, blur_px: float = 0.6
) -> Picture:
    """The tray, as a disc of card, on its mat."""
    width, height = PAPERS[paper]
    middle = (width / 2, height / 2)
    pdf = sheet_pdf(profile, paper)
    return photograph(pdf, seen, middle, z=-FACE, cover_mm=68, blur_px=blur_px, noise=4)


def error(found: View | None, truth: View) -> float:
    """The largest error of a projected seat, of all three levels, in sphere diameters."""
    assert found is not None
    sphere_px = DISC.sphere_mm * truth.pixels_per_mm(np.zeros((1, 3)))[0]
    off = np.linalg.norm(found.project(SEATS) - truth.project(SEATS), axis=1)
    return float(off.max() / sphere_px)


VIEWS = [(0, 0, 90), (15, 30, 90), (30, 200, 20), (45, 100, 100), (55, 330, 60)]


@pytest.mark.parametrize(("tilt", "towards", "roll"), VIEWS)
def test_the_view_with_a_measured_camera(tilt: int, towards: int, roll: int) -> None:
    camera = Camera(720, 540, 640.0, (364.0, 264.0), k1=-0.06, k2=0.02)
    truth = view(tilt, towards, camera, roll)
    found = pose_from_mat(picture_of(truth), camera, face_mm=FACE)
    assert error(found, truth) < 0.005


@pytest.mark.parametrize(("tilt", "towards", "roll"), VIEWS[1:])
@pytest.mark.parametrize("fov_deg", [50, 75])
def test_the_view_with_an_unknown_camera(
    tilt: int, towards: int, roll: int, fov_deg: float
) -> None:
    truth = view(tilt, towards, Camera.of_fov((720, 540), fov_deg, k1=-0.04), roll)
    found = pose_from_mat(picture_of(truth), face_mm=FACE)
    assert error(found, truth) < 0.01
    assert found is not None
    assert found.camera.focal_px == pytest.approx(truth.camera.focal_px, rel=0.02)


@pytest.mark.parametrize("fov_deg", [50, 75])
def test_from_straight_above_the_focal_length_is_open_but_seats_are_right(fov_deg: float) -> None:
    truth = view(0, 0, Camera.of_fov((720, 540), fov_deg))
    assert error(pose_from_mat(picture_of(truth), face_mm=FACE), truth) < 0.03


def test_a_blurred_picture() -> None:
    truth = view(35, 250, Camera.of_fov((720, 540), 65, k1=0.03))
    assert error(pose_from_mat(picture_of(truth, blur_px=1.4)), truth) < 0.01


def test_a_large_soft_photo() -> None:
    truth = view(35, 250, Camera.of_fov((720, 540), 65, k1=0.03))
    large = View(truth.camera.resized(2880, 2160), truth.pose)
    picture = cv2.resize(picture_of(truth, blur_px=0.9), (2880, 2160))
    assert error(pose_from_mat(np.asarray(picture, dtype=np.uint8)), large) < 0.01


@pytest.mark.parametrize("paper", ["letter", "a3"])
def test_each_paper_is_known_by_its_numbers(paper: str) -> None:
    truth = view(25, 80, Camera.of_fov((720, 540), 65))
    further = View(truth.camera, Pose.of(truth.pose.rvec, np.array(truth.pose.tvec) * 1.3))
    assert error(pose_from_mat(picture_of(further, paper)), further) < 0.01


def test_the_profile_may_name_its_own_markers() -> None:
    own = replace(mat_markers("a4"), z_mm=-FACE)
    truth = view(25, 80, Camera.of_fov((720, 540), 65))
    assert error(pose_from_mat(picture_of(truth), markers=own), truth) < 0.01
    elsewhere = replace(own, centers_mm={n + 100: at for n, at in own.centers_mm.items()})
    assert pose_from_mat(picture_of(truth), markers=elsewhere) is None


def test_the_face_s_height_moves_the_tray_towards_the_camera() -> None:
    truth = view(40, 0, Camera.of_fov((720, 540), 65))
    picture = picture_of(truth)
    low, high = (pose_from_mat(picture, truth.camera, face_mm=mm) for mm in (FACE, FACE + 3))
    assert low is not None
    assert high is not None
    assert np.linalg.norm(high.pose.tvec) == pytest.approx(
        np.linalg.norm(low.pose.tvec) - 3 * np.cos(np.radians(40)), abs=0.3
    )


def test_a_foreign_marker_of_the_same_number_is_left_out() -> None:
    """A second sheet's marker lies in the picture where none of this mat can be."""
    truth = view(25, 80, Camera.of_fov((720, 540), 65))
    picture = picture_of(truth)
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    hidden = np.round(truth.project(marker_corners(mat_markers("a4"), 0))).astype(np.int32)
    cv2.fillConvexPoly(picture, hidden, (200, 200, 200))
    picture[230:310, 320:400] = 235
    picture[240:300, 330:390] = cv2.aruco.generateImageMarker(tags, 0, 60)[..., None]
    assert 0 in find_markers(picture, "DICT_APRILTAG_36h11")
    assert error(pose_from_mat(picture), truth) < 0.01


def test_no_mat_no_view() -> None:
    plain = np.full((480, 640, 3), 180, dtype=np.uint8)
    noise = np.random.default_rng(3).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    assert pose_from_mat(plain) is None
    assert pose_from_mat(noise) is None


def test_the_calibration_board_is_no_mat() -> None:
    truth = view(10, 0, Camera.of_fov((720, 540), 65))
    assert pose_from_mat(photograph(board_pdf("a4"), truth, (105, 160))) is None


@pytest.mark.parametrize("name", ["DICT_NONE", "Dictionary", ""])
def test_markers_that_opencv_does_not_know_are_an_error(name: str) -> None:
    plain = np.full((480, 640, 3), 180, dtype=np.uint8)
    with pytest.raises(ValueError, match="OpenCV knows no markers"):
        pose_from_mat(plain, markers=replace(mat_markers("a4"), dictionary=name))


def test_too_few_markers_or_all_to_one_side_are_no_view() -> None:
    truth = view(20, 90, Camera.of_fov((720, 540), 65))
    picture = picture_of(truth)
    corners = find_markers(picture, "DICT_APRILTAG_36h11")

    def showing(numbers: set[int]) -> Picture:
        covered = picture.copy()
        for number in corners.keys() - numbers:
            cv2.fillConvexPoly(covered, np.round(corners[number]).astype(np.int32), (120, 0, 0))
        return covered

    assert pose_from_mat(showing({0, 15})) is None
    assert pose_from_mat(showing({11, 12, 13, 14, 15})) is None
    assert pose_from_mat(showing({0, 4, 13})) is not None


def test_a_camera_of_another_shape_is_an_error() -> None:
    camera = Camera.of_fov((720, 540), 65)
    with pytest.raises(CameraFileError, match="cropped"):
        pose_from_mat(picture_of(view(10, 0, camera))[:400], camera)


def scanned(sheet: Picture) -> Picture:
    return np.repeat(sheet[..., None], 3, axis=2)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ["disc", "pentagon"])
def test_markers_are_printed_where_the_layout_says_and_nowhere_else(name: str, paper: str) -> None:
    sheet, width, height = rasterise(sheet_pdf(load_profile(name), paper))
    mat = mat_markers(paper)
    per_mm = sheet.shape[0] / height
    found = find_markers(scanned(sheet), mat.dictionary)
    assert len(found) >= 14
    for number, pixels in found.items():
        x, y, _ = marker_corners(mat, number).T
        on_sheet = np.stack([x + width / 2, height / 2 - y], axis=1) * per_mm
        assert np.abs(pixels + 0.5 - on_sheet).max() < 0.5 * per_mm / 4
    rows, columns = np.nonzero(sheet < 128)
    for first, last, length in (
        (columns.min(), columns.max(), width),
        (rows.min(), rows.max(), height),
    ):
        assert first / per_mm >= MARGIN_MM
        assert length - last / per_mm >= MARGIN_MM


def test_markers_under_the_tray_are_not_printed() -> None:
    wide = replace(DISC, outline=Disc(85.0))
    sheet, _, _ = rasterise(sheet_pdf(wide, "a4"))
    found = find_markers(scanned(sheet), mat_markers("a4").dictionary)
    assert mat_markers("a4").centers_mm.keys() - found.keys() == {5, 6, 7, 8, 9, 10}


def test_a_tray_that_leaves_no_room_is_refused() -> None:
    huge = replace(DISC, outline=Disc(100.0))
    with pytest.raises(SheetRefusedError, match=r"\(200 × 200 mm\) leaves no room.*--paper a3"):
        sheet_pdf(huge, "a4")
    assert sheet_pdf(huge, "a3")


def test_a_tray_of_unknown_outline_is_taken_for_a_circle_around_its_storage() -> None:
    outline = tray_outline(replace(DISC, outline=None))
    assert isinstance(outline, Disc)
    assert outline.radius_mm == pytest.approx(np.hypot(47.5, 20.6) + 10)


def test_no_number_belongs_to_two_papers() -> None:
    numbers = [number for paper in PAPERS for number in mat_markers(paper).centers_mm]
    assert len(numbers) == len(set(numbers)) == 48
