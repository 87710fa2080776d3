"""A view squared with the picture: cubes, board and grid have edges in three directions only.

The network sees the near corners of the field well and guesses those that cubes hide. But every
straight edge of board and building runs along one of the board's three axes, so it points at that
axis' vanishing point: together they tell the rotation and the focal length. The corners then only
have to say where the board is.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Pose, View
from calibration.edges import Floats
from calibration.pose import PHONE
from vision.cube.locating import FIELD, Corner
from vision.cube.network import Seen

Array = NDArray[np.float64]

MOST_PIXELS = 1500
SIGMAS = (0.10, 0.05)
"""Sine of the angle by which an edge may miss its vanishing point, first and later."""
TURN_STEP, FOCAL_STEP = 0.10, 0.10
"""First steps of the search, in radians and of the logarithm of the focal length."""
TRIES, ROUNDS, SHRINK = 40, 14, 0.75
PRIOR_WEIGHT = 0.01
"""What a focal length one spread from the usual one costs, of the score of all edges."""
SHOWN = 0.4
"""A pixel whose probability of being board or cube is above this may have an edge of them."""


@dataclass(frozen=True, eq=False)
class Edgels:
    """Pixels on edges, from the principal point, their directions and weights."""

    offset: Array
    way: Array
    weight: Array


def squared(
    smoothed: Floats, seen: Seen, view: View, corners: tuple[Corner, ...], focal_px: float | None
) -> View:
    """The view turned to fit the directions of the picture's edges, through the same corners."""
    edgels = _edgels(smoothed, seen, view.camera)
    if len(edgels.weight) < 50:
        return view
    size = (view.camera.width, view.camera.height)
    mean, spread = PHONE.log_focal(size, focal_px)
    rng = np.random.default_rng(1)  # the same photo gives the same reading
    now = np.zeros(4)
    base, log_focal = view.pose.rotation, float(np.log(view.camera.focal_px))
    step = np.array([TURN_STEP] * 3 + [FOCAL_STEP])
    for round_ in range(ROUNDS):
        sigma = SIGMAS[0] if round_ < ROUNDS // 2 else SIGMAS[1]
        tries = np.concatenate(
            [now[None], now + np.diag(step), now - np.diag(step),
             now + rng.normal(0, 0.7, (TRIES, 4)) * step]
        )  # fmt: skip
        scores = _scores(edgels, base, log_focal, tries, sigma)
        scores -= PRIOR_WEIGHT * ((log_focal + tries[:, 3] - mean) / spread) ** 2
        now = tries[int(scores.argmax())]
        step = step * SHRINK
    focal = float(np.exp(log_focal + now[3]))
    camera = Camera(size[0], size[1], focal, view.camera.principal, view.camera.k1, view.camera.k2)
    rotation = cv2.Rodrigues(now[:3])[0] @ base
    return View(camera, Pose.of(rotation, _translation(camera, rotation, corners)))


def _scores(edgels: Edgels, base: Array, log_focal: float, tries: Array, sigma: float) -> Array:
    """Share of the edges (tries,) that point at a vanishing point."""
    turns = np.stack([cv2.Rodrigues(one[:3])[0] @ base for one in tries])
    focal = np.exp(log_focal + tries[:, 3])
    across = turns[:, :2, :] * focal[:, None, None]  # of each axis, in pixels
    ahead = turns[:, 2, :]
    best = np.zeros((len(tries), len(edgels.weight)))
    for axis in range(3):
        towards_x = across[:, 0, axis, None] - ahead[:, axis, None] * edgels.offset[:, 0]
        towards_y = across[:, 1, axis, None] - ahead[:, axis, None] * edgels.offset[:, 1]
        cross = towards_x * edgels.way[:, 1] - towards_y * edgels.way[:, 0]
        square = cross**2 / (towards_x**2 + towards_y**2 + 1e-9)
        best = np.maximum(best, np.exp(-square / (2 * sigma**2)))
    return np.asarray(best @ edgels.weight / edgels.weight.sum(), np.float64)


def _edgels(smoothed: Floats, seen: Seen, camera: Camera) -> Edgels:
    across = cv2.Sobel(smoothed, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(smoothed, cv2.CV_32F, 0, 1)
    strength = (across**2 + down**2).sum(axis=2)
    # the direction in which all channels together change most
    xx, yy = (across**2).sum(axis=2), (down**2).sum(axis=2)
    xy = (across * down).sum(axis=2)
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    (left, top), scale = seen.shift, seen.scale
    warp = np.array([[1 / scale, 0, -left / scale], [0, 1 / scale, -top / scale]])
    size = (camera.width, camera.height)
    shown = cv2.warpAffine(1 - np.exp(seen.surfaces[0]), warp, size)
    thin = _thin(strength, angle)
    rows, columns = np.nonzero(thin & (shown > SHOWN) & (strength > 24.0**2))
    strongest = np.argsort(-strength[rows, columns])[: 4 * MOST_PIXELS]
    order = strongest[:: max(1, len(strongest) // MOST_PIXELS)]
    rows, columns = rows[order], columns[order]
    offset = np.stack([columns, rows], axis=1) - np.array(camera.principal)
    turn = angle[rows, columns].astype(np.float64) + np.pi / 2
    level = np.sqrt(strength[rows, columns]).astype(np.float64)
    return Edgels(offset, np.stack([np.cos(turn), np.sin(turn)], axis=1), level / (level + 80.0))


def _thin(strength: Floats, angle: Floats) -> NDArray[np.bool_]:
    """Pixels that are stronger than both neighbours across their edge."""
    across = np.abs(np.cos(angle)) > 0.7071
    padded = np.pad(strength, 1)
    beside = np.maximum(padded[1:-1, :-2], padded[1:-1, 2:])
    above = np.maximum(padded[:-2, 1:-1], padded[2:, 1:-1])
    return np.asarray(strength >= np.where(across, beside, above))


def _translation(camera: Camera, rotation: Array, corners: tuple[Corner, ...]) -> Array:
    """Where the board is, so that its corners lie where they were seen, the plainest most."""
    rows, right = [], []
    for point, corner in zip(FIELD, corners, strict=True):
        x, y = camera.to_plane(np.array(corner.uv))
        turned = rotation @ np.array(point)
        weight = corner.strength**2
        rows += [weight * np.array([1.0, 0.0, -x]), weight * np.array([0.0, 1.0, -y])]
        right += [weight * (x * turned[2] - turned[0]), weight * (y * turned[2] - turned[1])]
    return np.asarray(np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0])
