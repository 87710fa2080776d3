"""The printed place mat: markers around the tray from which a picture's view follows.

The markers of a mat depend on its paper alone, and each paper has its own numbers: whoever sees a
few of them knows the mat, whichever tray lies on it. The tray's centre is the page's, its +y is
up the page. A tray's own profile may name other markers (``TrayProfile.markers``).

What the mat cannot tell is how high the tray's face lies above it, and how far the tray is turned
or shifted against the printed outline; the view is a start for refining on the tray itself.
"""

import cv2
import numpy as np

from calibration.camera import Camera, View
from calibration.camera_file import camera_for
from calibration.fiducials import Floats, Picture, Search, marker_family
from calibration.pdf import MARGIN_MM, PAPERS
from calibration.pose import DegenerateMatchesError, LensPrior, Match, fit_pose
from calibration.profile import Markers

FAMILY = "DICT_APRILTAG_36h11"
"""Eleven of its 36 bits must be wrong for one marker to be taken for another; the board for the
camera uses another family."""

FACE_MM = 2.0
"""Height of a tray's face above the mat where nobody measured it: card of 2 mm. Being wrong by
1 mm shifts the tray in the picture by 1 mm times the tangent of the tilt."""

FEWEST_MARKERS = 3
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
    candidates = [markers] if markers else [mat_markers(paper, face_mm) for paper in PAPERS]
    seen = find_markers(picture, candidates[0].dictionary)
    for mat in candidates:
        points, pixels = _matches(mat, seen, picture.shape[1])
        if len(points) >= 4 * FEWEST_MARKERS and _surround_centre(points):
            return _solve(points, pixels, (picture.shape[1], picture.shape[0]), camera)
    return None


def find_markers(picture: Picture, dictionary: str) -> dict[int, Floats]:
    """Corners (4, 2) of each marker in the picture by its number, clockwise from its top left."""
    how = cv2.aruco.DetectorParameters()
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(marker_family(dictionary), how)
    search = Search.of(picture)
    corners, numbers, _ = detector.detectMarkers(search.gray)
    if not corners:
        return {}
    return dict(zip(map(int, np.ravel(numbers)), map(search.in_picture, corners), strict=True))


def marker_corners(mat: Markers, number: int) -> Floats:
    """Corners (4, 3) of a printed marker in tray mm, in the order of ``find_markers``."""
    x, y = mat.centers_mm[number]
    half = mat.size_mm / 2
    signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    return np.array([(x + half * right, y + half * up, mat.z_mm) for right, up in signs])


def _matches(mat: Markers, seen: dict[int, Floats], width: int) -> tuple[Floats, Floats]:
    """Corners of the mat (N, 3) and their pixels (N, 2), of markers that lie in one plane."""
    numbers = [number for number in seen if number in mat.centers_mm]
    if len(numbers) < FEWEST_MARKERS:
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
