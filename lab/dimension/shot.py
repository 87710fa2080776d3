"""The shot: where the camera is held, what lens it has, and what goes wrong in taking it."""

import numpy as np

from calibration.camera import Camera, FloatArray, Pose, View
from calibration.dimension.geometry import seat_array
from lab.dimension.setting import Setting
from lab.rendering.scene import RGB, Film
from rules.dimension.places import PLAY

Rng = np.random.Generator
Span = tuple[float, float]

LEAST_WIDTH = 1024
TILTS: Span = (0.0, 60.0)


def draw_view(
    rng: Rng,
    setting: Setting,
    size: tuple[int, int],
    tilt_deg: Span | None = None,
    around: float = 1.0,
    others: FloatArray | None = None,
) -> tuple[View, float, float]:
    """A view of the tray, its field of view and ``lens_k1`` as truth gives them.

    Usually the whole tray is in the frame; the fourteen seats always are. ``around`` says
    how much more than the tray is to be seen: the photo is not taken from as near. Of ``others``,
    the centres (n, 3) of trays beside it, none is nearer the picture's middle.
    """
    fov, lens_k1 = rng.uniform(50, 75), rng.uniform(-0.035, 0.025)
    camera = Camera.of_photo(size, fov, lens_k1)
    whole = rng.random() < 0.9
    while True:
        view = View(camera, _draw_pose(rng, setting, camera, tilt_deg or TILTS, around))
        seats = seat_array(setting.profile)
        wanted = seats if whole else seats[:PLAY]  # holes and stack must be in the frame
        framed = _in_frame(view, wanted, setting.profile.sphere_radius_mm)
        if framed and (others is None or _is_central(view, others)):
            return view, fov, lens_k1


def _draw_pose(rng: Rng, setting: Setting, camera: Camera, tilt_deg: Span, further: float) -> Pose:
    reach = setting.profile.slot_radius_mm + setting.profile.sphere_mm
    fill = rng.uniform(0.35, 1.05 / further)
    distance = camera.focal_px * 2 * reach / (fill * min(camera.width, camera.height))
    tilt, around = np.radians(rng.uniform(*tilt_deg)), rng.uniform(0, 2 * np.pi)
    sideways = np.sin(tilt) * np.array([np.cos(around), np.sin(around)])
    target = np.array([*rng.normal(0, 0.2 * reach / fill, 2), 0.0])
    eye = distance * np.array([*sideways, np.cos(tilt)])
    roll = rng.normal(0, 12) if rng.random() < 0.7 else rng.uniform(-180, 180)
    return Pose.looking_at(eye, target, roll)


def _is_central(view: View, others: FloatArray) -> bool:
    """Whether the tray's centre is nearer the picture's middle than those of the others."""
    centres = np.concatenate([np.zeros((1, 3)), others])
    middle = np.array([view.camera.width, view.camera.height]) / 2
    off = np.linalg.norm(view.project(centres) - middle, axis=1)
    return bool(np.nanargmin(off) == 0)


def _in_frame(view: View, places: FloatArray, radius: float) -> bool:
    outlines = view.sphere_outlines(places, radius)
    if np.isnan(outlines).any():
        return False
    (u, v), reach = outlines[:, :2].T, outlines[:, 2]
    width, height = view.camera.width, view.camera.height
    inside = (u > reach) & (v > reach) & (u < width - reach) & (v < height - reach)
    return bool(inside.all())


def draw_film(rng: Rng, setting: Setting, width: int, noise: float | None = None) -> Film:
    """What the camera does to the picture; blur grows with the picture's width.

    Nobody takes photos that are narrower than ``LEAST_WIDTH``: smaller ones were made smaller, as a
    reader makes them to work with, which leaves less of the grain and of what JPEG lost.
    """
    fineness = max(1, round(LEAST_WIDTH / width))
    scale = width * fineness / LEAST_WIDTH
    dim = setting.light == "dim"
    blurred, shaken = rng.random() < 0.3, rng.random() < (0.4 if dim else 0.15)
    grain = noise if noise is not None else rng.uniform(0.0, 0.05) * (2.0 if dim else 1.0)
    return Film(
        exposure=float(2 ** rng.normal(0.4, 0.5)),  # phones expose for the shadows
        balance=_draw_balance(rng, setting),
        saturation=rng.uniform(0.85, 1.25),
        contrast=rng.uniform(0.0, 0.6),
        vignette=rng.uniform(0.0, 0.35),
        defocus_px=scale * rng.uniform(0.5, 2.5) if blurred else 0.0,
        motion_px=scale * rng.uniform(1.0, 6.0) if shaken else 0.0,
        motion_deg=rng.uniform(0, 180),
        noise=grain,
        sharpen=rng.uniform(0.2, 1.5) if rng.random() < 0.5 else 0.0,
        jpeg=int(rng.integers(60, 98)),
        fineness=fineness,
    )


def _draw_balance(rng: Rng, setting: Setting) -> RGB:
    """Gains that undo the light's colour in part, and err a little besides."""
    total = np.array(setting.room.zenith)
    for light in setting.lights:
        total = total + np.array(light.color)
    gains = (total.mean() / total) ** rng.uniform(0.3, 1.0) * np.exp(rng.normal(0, 0.05, 3))
    r, g, b = gains / gains.mean()
    return float(r), float(g), float(b)
