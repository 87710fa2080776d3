"""The truth about a picture, as one JSON object in the format of the project's photos.

``u, v`` count from the picture's corner (a pixel's centre is at .5), ``radius`` is focal length ·
sphere radius / depth, ``visible`` the share of the outline that no other sphere of the tray hides.
Beyond that format: ``profile``, ``pose`` (tray to camera), ``hand`` (whether one is in view), and
for every sphere its ``outline`` (u, v, half axes, degrees of the major one).
"""

from typing import Any

import cv2
import numpy as np

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_positions
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.occlusion import visible_shares
from lab.dimension.arrange import Arrangement
from lab.dimension.setting import Setting

CORNER = 0.5
"""What must be added to our pixels, which count from the centre of the first one."""


def truth_of(
    arrangement: Arrangement, setting: Setting, view: View, lens: tuple[float, float]
) -> dict[str, Any]:
    """All of a picture's truth but its file, kind and view; ``lens`` is field of view and k1."""
    profile = setting.profile
    tray = arrangement.layout is not None
    return {
        "tray": profile.name if tray else None,
        "layout": str(arrangement.layout) if tray else None,
        "slots": arrangement.stored,
        "stray": sum(ball.seat is None for ball in arrangement.balls),
        "table": setting.table.name,
        "light": setting.light,
        "tilt_deg": round(view.pose.tilt_deg, 1),
        "distance_mm": round(float(np.linalg.norm(view.pose.eye)), 1),
        "fov_deg": round(lens[0], 3),
        "size": [view.camera.width, view.camera.height],
        "spheres": _spheres(arrangement, view),
        "lens_k1": round(lens[1], 6),
        "profile": profile.to_json() if tray else None,
        "pose": {"rvec": list(view.pose.rvec), "tvec": list(view.pose.tvec)} if tray else None,
    }


def profile_of(truth: dict[str, Any]) -> TrayProfile:
    """The tray of a picture."""
    told = truth.get("profile")
    return TrayProfile.from_json(told) if told else load_profile(truth["tray"])


def view_of(truth: dict[str, Any]) -> View | None:
    """The view of a picture; where its pose is not told, by the spheres, if there are enough."""
    camera = Camera.of_photo(tuple(truth["size"]), truth["fov_deg"], truth["lens_k1"])
    if pose := truth.get("pose"):
        return View(camera, Pose.of(pose["rvec"], pose["tvec"]))
    spheres = truth["spheres"]
    if len(spheres) < _FEWEST:
        return None
    places = seat_positions(profile_of(truth))
    centres = np.array([places[seat] for seat in spheres], np.float64)
    pixels = np.array([[sphere["u"], sphere["v"]] for sphere in spheres.values()]) - CORNER
    plane = np.asarray(camera.to_plane(pixels), np.float64)
    _, rvec, tvec = cv2.solvePnP(centres, plane, np.eye(3), None, flags=cv2.SOLVEPNP_SQPNP)
    rvec, tvec = cv2.solvePnPRefineLM(centres, plane, np.eye(3), None, rvec, tvec)
    return View(camera, Pose.of(rvec.ravel(), tvec.ravel()))


_FEWEST = 4  # points that make a pose


def _spheres(arrangement: Arrangement, view: View) -> dict[str, dict[str, Any]]:
    """Where each sphere of the main tray is in the picture, and how much of it is seen."""
    balls = [ball for ball in arrangement.balls if ball.seat is not None]
    if not balls:
        return {}
    centres, radius = np.array([ball.centre for ball in balls]), balls[0].radius
    pixels = view.project(centres) + CORNER
    scale = view.pixels_per_mm(centres) * radius
    shares = visible_shares(view, centres, radius)
    outlines = view.sphere_outlines(centres, radius)
    outlines[:, :2] += CORNER
    outlines[:, 4] = np.degrees(outlines[:, 4])
    return {
        str(ball.seat): {
            "u": round(float(pixels[i, 0]), 2),
            "v": round(float(pixels[i, 1]), 2),
            "radius": round(float(scale[i]), 2),
            "visible": round(float(shares[i]), 3),
            "outline": [round(float(value), 3) for value in outlines[i]],
        }
        for i, ball in enumerate(balls)
    }
