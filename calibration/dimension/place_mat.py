"""The printed place mat: markers around the tray from which a picture's view follows.

The markers of a mat depend on its paper alone, and each paper has its own numbers: whoever sees a
few of them knows the mat, whichever tray lies on it. The tray's centre is the page's, its +y is
up the page. A tray's own profile may name other markers (``TrayProfile.markers``).

What the mat cannot tell is how high the tray's face lies above it, and how far the tray is turned
or shifted against the printed outline; the view is a start for refining on the tray itself.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import cv2
import numpy as np

from calibration.camera import Camera, View
from calibration.camera_file import camera_for
from calibration.dimension.profile import Markers
from calibration.fiducials import Floats, Picture, Search, marker_family
from calibration.pdf import MARGIN_MM, PAPERS
from calibration.pose import DegenerateMatchesError, LensPrior, Match, PoseFit, fit_pose

FAMILY = "DICT_APRILTAG_36h11"
"""Eleven of its 36 bits must be wrong for one marker to be taken for another; the board for the
camera uses another family."""

FACE_MM = 2.0
"""Height of a tray's face above the mat where nobody measured it: card of 2 mm. Being wrong by
1 mm shifts the tray in the picture by 1 mm times the tangent of the tilt."""

FEWEST_MARKERS, FEWEST_TO_START = 3, 2
"""Markers that tell a view by themselves, and that do where the tray tells the rest."""
CORNER_SIGMA_PX = 0.5
"""Error of a marker's corner: in the tests' pictures 0.3 px in sharp ones, 0.6 px in blurred."""

LARGEST_BEND = 0.01
"""How far, as a share of the picture's width, distortion may move a corner away from the plane's
perspective; what is further off is no marker of this mat."""

_IDEAL = LensPrior(edge_bend_spread=1e-6, known_focal_spread=1e-6)
"""The lens that is left when a measured camera's distortion has been taken out of the pixels."""

_QUIET_MM = 2.0
_MARKER_MM = {"a4": 24.0, "letter": 24.0, "a3": 36.0}
_PER_SIDE = 5
_FIRST_NUMBER = {"a4": 0, "letter": 20, "a3": 40}


def mat_markers(paper: str, face_mm: float = FACE_MM) -> Markers:
    """The markers along the border of the mat on this paper, five a side."""
    width, height = PAPERS[paper]
    size = _MARKER_MM[paper]
    inset = MARGIN_MM + _QUIET_MM + size / 2
    x = np.linspace(inset - width / 2, width / 2 - inset, _PER_SIDE).round(2).tolist()
    y = np.linspace(inset - height / 2, height / 2 - inset, _PER_SIDE).round(2).tolist()
    border = [
        (across, up) for up in y for across in x if up in (y[0], y[-1]) or across in (x[0], x[-1])
    ]
    return Markers(
        dictionary=FAMILY,
        size_mm=size,
        centers_mm=dict(enumerate(border, start=_FIRST_NUMBER[paper])),
        z_mm=-face_mm,
    )


def pose_from_mat(
    picture: Picture,
    camera: Camera | None = None,
    markers: Markers | None = None,
    face_mm: float = FACE_MM,
) -> View | None:
    """The view of the tray by the markers around it; None if they are not there or too few.

    Without ``markers`` any of the printed mats is looked for, with the tray's face ``face_mm``
    above it. Without a camera its focal length and distortion are estimated along with the pose;
    from straight above those are little more than a guess, though what lies near the mat's plane
    is right all the same.
    """
    for points, pixels in _corners(picture, _mats(markers, face_mm)):
        if len(points) >= 4 * FEWEST_MARKERS and _surround_centre(points):
            return _solve(points, pixels, (picture.shape[1], picture.shape[0]), camera)
    return None


def fit_mat(
    picture: Picture, markers: Markers | None = None, focal_px: float | None = None
) -> PoseFit | None:
    """The view by whatever markers are seen, two at least, and how sure it is; None without.

    Other than ``pose_from_mat`` this takes markers that lie all to one side of the tray: whoever
    goes on to fit the tray knows from the covariance what they leave open. ``focal_px`` is what
    the photo's file says of the focal length.
    """
    for points, pixels in _corners(picture, _mats(markers, FACE_MM)):
        if len(points) >= 4 * FEWEST_TO_START:
            size = (picture.shape[1], picture.shape[0])
            try:
                return fit_pose(_as_matches(points, pixels), size, focal_px=focal_px)
            except DegenerateMatchesError:
                return None
    return None


def shows_mat(picture: Picture, markers: Markers | None = None) -> bool:
    """Whether a marker of a printed mat, or of these markers, is seen at a glance.

    One threshold, marked contrast, no small markers: in 106 photos without a mat, 512 pixels wide,
    that took 1.5 ms (4 in 95 %) where ``find_markers`` took 5 to 60; of 48 lab pictures with a mat
    it saw two markers or more in all.
    """
    mats = _mats(markers, FACE_MM)
    how = cv2.aruco.DetectorParameters()
    how.adaptiveThreshWinSizeMin = how.adaptiveThreshWinSizeMax = 23
    how.adaptiveThreshConstant = 20
    how.minMarkerPerimeterRate, how.maxMarkerPerimeterRate = 0.1, 0.6
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    family = _family(mats[0].dictionary, _numbers(mats))
    corners, _, _ = cv2.aruco.ArucoDetector(family, how).detectMarkers(gray)
    return len(corners) > 0


def find_markers(
    picture: Picture, dictionary: str, numbers: tuple[int, ...] | None = None
) -> dict[int, Floats]:
    """Corners (4, 2) of each marker in the picture by its number, clockwise from its top left.

    With ``numbers`` only these are looked for, which is quicker.
    """
    how = cv2.aruco.DetectorParameters()
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(_family(dictionary, numbers), how)
    search = Search.of(picture)
    corners, found, _ = detector.detectMarkers(search.gray)
    if not corners:
        return {}
    names = np.ravel(found) if numbers is None else np.array(numbers)[np.ravel(found)]
    return dict(zip(map(int, names), map(search.in_picture, corners), strict=True))


@cache
def _family(dictionary: str, numbers: tuple[int, ...] | None) -> cv2.aruco.Dictionary:
    """A family of markers, or the part of it with these numbers, counted from 0."""
    family = marker_family(dictionary)
    if numbers is None:
        return family
    few = np.ascontiguousarray(family.bytesList[list(numbers)])
    return cv2.aruco.Dictionary(few, family.markerSize, family.maxCorrectionBits)


def _mats(markers: Markers | None, face_mm: float) -> list[Markers]:
    """The mats to look for: that of these markers, or all that are printed."""
    return [markers] if markers else [mat_markers(paper, face_mm) for paper in PAPERS]


def _numbers(mats: Sequence[Markers]) -> tuple[int, ...]:
    return tuple(sorted(number for mat in mats for number in mat.centers_mm))


def _corners(picture: Picture, mats: Sequence[Markers]) -> Iterator[tuple[Floats, Floats]]:
    """Corners (N, 3) of each mat that were seen, and their pixels (N, 2)."""
    seen = find_markers(picture, mats[0].dictionary, _numbers(mats))
    for mat in mats:
        yield _matches(mat, seen, picture.shape[1])


def marker_corners(mat: Markers, number: int) -> Floats:
    """Corners (4, 3) of a printed marker in tray mm, in the order of ``find_markers``."""
    x, y = mat.centers_mm[number]
    half = mat.size_mm / 2
    signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    return np.array([(x + half * right, y + half * up, mat.z_mm) for right, up in signs])


def _matches(mat: Markers, seen: dict[int, Floats], width: int) -> tuple[Floats, Floats]:
    """Corners of the mat (N, 3) and their pixels (N, 2), of markers that lie in one plane."""
    numbers = [number for number in seen if number in mat.centers_mm]
    if len(numbers) < FEWEST_TO_START:
        return np.empty((0, 3)), np.empty((0, 2))
    points = np.concatenate([marker_corners(mat, number) for number in numbers])
    pixels = np.concatenate([seen[number] for number in numbers])
    plane, _ = cv2.findHomography(points[:, :2], pixels, cv2.RANSAC, LARGEST_BEND * width)
    if np.shape(plane) != (3, 3):
        return np.empty((0, 3)), np.empty((0, 2))
    expected = cv2.perspectiveTransform(points[None, :, :2], plane)[0]
    near = np.linalg.norm(expected - pixels, axis=1) < LARGEST_BEND * width
    whole = near.reshape(-1, 4).all(axis=1).repeat(4)
    return points[whole], pixels[whole]


def _surround_centre(points: Floats) -> bool:
    """Whether the tray lies between the markers seen: beyond them, small errors grow large."""
    hull = cv2.convexHull(points[:, :2].astype(np.float32))
    return cv2.pointPolygonTest(hull, (0.0, 0.0), measureDist=False) >= 0


def _solve(
    points: Floats, pixels: Floats, size: tuple[int, int], camera: Camera | None
) -> View | None:
    try:
        if camera is None:
            return fit_pose(_as_matches(points, pixels), size).view
        fitting = camera_for(camera, *size)
        middle = (np.array(size) - 1) / 2
        ideal = fitting.to_plane(pixels) * fitting.focal_px + middle
        fit = fit_pose(_as_matches(points, ideal), size, focal_px=fitting.focal_px, lens=_IDEAL)
        return View(fitting, fit.view.pose)
    except DegenerateMatchesError:
        return None


def _as_matches(points: Floats, pixels: Floats) -> list[Match]:
    return [
        Match((x, y, z), (u, v), sigma_px=CORNER_SIGMA_PX)
        for (x, y, z), (u, v) in zip(points.tolist(), pixels.tolist(), strict=True)
    ]
