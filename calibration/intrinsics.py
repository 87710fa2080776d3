"""A camera measured from photos of the calibration board, and the reasons to refuse it.

A calibration that looks fine and is not would bend every later reading, so photos that cannot
pin the camera down are refused with what to do about it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees, hypot

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.camera import Camera
from calibration.charuco import BoardSighting

FEWEST_PHOTOS = 4
"""Zhang's method needs three views for five unknowns; the fourth is the first that checks them."""

LEAST_TURN_DEG = 15.0
"""Boards seen under directions that differ by less are as good as parallel: parallel boards
leave focal length and distance undetermined however many there are."""

LARGEST_SPREAD = 0.01
"""Standard deviation of focal length (share of itself) and of the principal point (share of the
picture's diagonal) above which a calibration is worse than the guess it should replace."""

LARGEST_RMS = 1e-3
"""Reprojection error, as a share of the diagonal, that no sharp photo of a flat board comes near
(detected corners are good to a tenth of that)."""

LEAST_REACH = 0.7
"""How far from the picture's centre corners should have been seen, in half diagonals, for the
distortion there to be measured rather than extrapolated."""

_FLAGS = cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3


class CameraRefusedError(ValueError):
    """Photos from which the camera cannot be told; ``code`` for programs, the text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass(frozen=True)
class CameraMeasurement:
    """A measured camera and how well the photos agree on it."""

    camera: Camera
    spread: dict[str, float]
    """Standard deviation of focal_px, cx, cy, k1 and k2."""
    rms_px: float
    photo_rms_px: tuple[float, ...]
    warnings: tuple[str, ...]


def measure_camera(sightings: Sequence[BoardSighting]) -> CameraMeasurement:
    """The camera that took these photos of the board; raises ``CameraRefusedError`` if unsure."""
    _refuse_unlike_photos(sightings)
    width, height = sightings[0].size
    rms, matrix, lens, rvecs, _, spread, _, photo_rms = cv2.calibrateCameraExtended(
        [sighting.corners.astype(np.float32) for sighting in sightings],
        [sighting.pixels.astype(np.float32) for sighting in sightings],
        (width, height),
        np.eye(3),
        np.zeros(5),
        flags=_FLAGS,
    )
    focal, cx, cy = map(float, (matrix[0, 0], matrix[0, 2], matrix[1, 2]))
    k1, k2 = map(float, np.ravel(lens)[:2])
    camera = Camera(width, height, focal, (cx, cy), k1, k2)
    measured = CameraMeasurement(
        camera=camera,
        spread=_spread(spread),
        rms_px=float(rms),
        photo_rms_px=tuple(np.ravel(photo_rms).tolist()),
        warnings=_warnings(camera, sightings),
    )
    _refuse_parallel(rvecs)
    _refuse_misfit(measured)
    _refuse_vague(measured)
    return measured


def _spread(deviations: MatLike) -> dict[str, float]:
    """The deviations that OpenCV gives in the order fx, fy, cx, cy, k1, k2, …, by name.

    With a fixed aspect ratio fy is the unknown, and fx has no deviation of its own.
    """
    _, focal, cx, cy, k1, k2 = np.ravel(deviations)[:6].tolist()
    return {"focal_px": focal, "cx": cx, "cy": cy, "k1": k1, "k2": k2}


def _refuse_unlike_photos(sightings: Sequence[BoardSighting]) -> None:
    if len(sightings) < FEWEST_PHOTOS:
        raise CameraRefusedError(
            "too_few_photos",
            f"The board was found in {len(sightings)} photos; {FEWEST_PHOTOS} are needed. Take 8 "
            "to 12.",
        )
    sizes = sorted({sighting.size for sighting in sightings})
    if len(sizes) > 1:
        named = ", ".join(f"{width}×{height}" for width, height in sizes)
        raise CameraRefusedError(
            "different_sizes",
            f"The photos have different sizes ({named}). Take all of them with one camera, and "
            "do not crop them.",
        )


def _refuse_parallel(rvecs: Sequence[MatLike]) -> None:
    normals = np.array([cv2.Rodrigues(np.asarray(rvec))[0][:, 2] for rvec in rvecs])
    turn = degrees(np.arccos(np.clip(normals @ normals.T, -1.0, 1.0)).max())
    if turn < LEAST_TURN_DEG:
        raise CameraRefusedError(
            "all_parallel",
            f"All photos look at the board from the same direction (within {turn:.0f}°). Tilt the "
            "camera by 30° to 45° to different sides, and turn it between photos.",
        )


def _refuse_misfit(measured: CameraMeasurement) -> None:
    camera = measured.camera
    if measured.rms_px > LARGEST_RMS * hypot(camera.width, camera.height):
        raise CameraRefusedError(
            "misfit",
            f"The photos do not fit one camera and one flat board ({measured.rms_px:.1f} px off). "
            "Please lay the board flat, do not zoom between photos, and leave out blurred ones.",
        )


def _refuse_vague(measured: CameraMeasurement) -> None:
    camera, spread = measured.camera, measured.spread
    focal = spread["focal_px"] / camera.focal_px
    principal = hypot(spread["cx"], spread["cy"]) / hypot(camera.width, camera.height)
    if not max(focal, principal) <= LARGEST_SPREAD:  # also refuses what is not a number
        raise CameraRefusedError(
            "vague",
            f"The photos leave the focal length uncertain by {focal:.1%} and the picture's centre "
            f"by {principal:.1%}. Take more: tilt the camera to all sides, turn it, and fill "
            "the picture with the board.",
        )


def _warnings(camera: Camera, sightings: Sequence[BoardSighting]) -> tuple[str, ...]:
    """What is wrong with the photos though not so much that they are refused."""
    pixels = np.concatenate([sighting.pixels for sighting in sightings])
    reach = np.linalg.norm(pixels - camera.principal, axis=1).max()
    if reach < LEAST_REACH * hypot(camera.width, camera.height) / 2:
        return ("The board was never near the corners of a photo, so distortion there is a guess.",)
    return ()
