"""The start photo: an unknown tray measured while all fifteen spheres are in storage.

At set-up every tray shows its seven holes empty and three spheres in each of five slots. That is
enough to measure it: ``measure`` finds the pattern, fits camera, pose and the tray's own geometry
together, learns the five colours, and combines several photos of one tray. Lengths are in sphere
diameters until the end; ``sphere_mm`` gives the scale.

The profile's frame: slot 0 is at 90°, and it is the slot towards which a ring hole points best,
so that ``ring0_deg`` is within 6° of 90°.

``calibration.dimension.start.overlay.draw`` draws a view with the profile's spheres and holes for
checking.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera import Pose, View
from calibration.color import body_color, to_linear
from calibration.dimension.colors import Colors, learn_colors
from calibration.dimension.outline import Outline
from calibration.dimension.profile import TrayProfile
from calibration.dimension.start.check import (
    BLURRED,
    DARK,
    NO_TRAY,
    Refusal,
    Support,
    check,
    support_of,
)
from calibration.dimension.start.combine import combine, disagree, mean_colors, with_holes
from calibration.dimension.start.empty_tray import EmptyReading, read_empty
from calibration.dimension.start.face_outline import measure_outline
from calibration.dimension.start.fit import StartFit, distinct, fit_to_marks, fit_to_picture
from calibration.dimension.start.model import Geometry
from calibration.dimension.start.pattern import find_pattern
from calibration.dimension.start.scaling import Naming, make_profile
from calibration.edges import Floats, Picture, smooth
from calibration.ellipses import Array
from calibration.exposure import brightened, is_blurred, is_dark
from calibration.marks import Mark, find
from calibration.occlusion import owners
from calibration.pose import view_prior
from calibration.refine import inside_outlines
from rules.dimension.places import SPHERES

ASSUMED_SPHERE_MM = 25.0
DRAWN = 3
"""How many of the likeliest placements are drawn to the picture before one is chosen."""
FEWEST_MARKS, FEWEST_LIKELY = 5.0, 3.0
"""Fewer marks (summed scores) where spheres should be are not worth a closer look, of all marks
and of likely spheres; start photos have 7 to 13."""
LIKELY = 0.5
"""A mark is a likely sphere if one seems to be within this share of its radius from its centre."""
PROMISING = 0.6
"""Placements with less than this share of the best one's marks are not worth drawing."""
ANOTHER_TRAY = 3
"""So many things like spheres beside the tray may be another player's: a part of a neighbouring
tray showed 3 to 35, a table without one 0 to 2 (and confetti more)."""
UNSURE_COLOR = 5.0
"""A sphere that is nearer than this to being another colour is worth a warning."""
MAY_BE_OFF = 0.02
"""Share by which pitch and slot radius may be off: reading stays as good up to there."""
RIVAL = 0.75
"""A second tray whose support is this share of the best one's counts as another tray."""


Spheres = Callable[[Picture], Array]
"""Gives the pixels (n, 2) at which spheres seem to be in a picture."""


@dataclass(frozen=True)
class StartReading:
    """One start photo: where the tray is seen from, its measures, its colours."""

    fit: StartFit
    support: Support
    colors: Colors
    face: Array
    """Colour of the tray's face, L*a*b* under the same light."""
    outline: Outline | None = None
    warnings: tuple[str, ...] = ()

    @property
    def view(self) -> View:
        """Where the tray is seen from, in sphere diameters."""
        return self.fit.view

    @property
    def letters(self) -> tuple[str, ...]:
        """Colour of the sphere at each storage place, S00 … S42."""
        return self.colors.letters


@dataclass(frozen=True)
class Measured:
    """A measured tray. ``views`` has one entry a photo, None for one that was left out."""

    profile: TrayProfile
    views: tuple[View | None, ...]
    warnings: tuple[str, ...]


def measure(
    photos: Sequence[Picture],
    *,
    sphere_mm: float | None = None,
    name: str = "my-tray",
    focals: Sequence[float | None] = (),
    spheres: Spheres | None = None,
) -> Measured | Refusal:
    """The tray in these photos, or the reason why it cannot be measured.

    ``focals`` are focal lengths in pixels, one a photo, where EXIF tells them. ``spheres`` tells
    where in a photo spheres seem to be; it is asked where round marks alone show no tray, on a
    table full of confetti for example.
    """
    if not photos:
        return Refusal("no_photo", "Send at least one start photo.")
    known = [*focals, *[None] * (len(photos) - len(focals))]
    readings = [
        read_start(photo, focal, spheres) for photo, focal in zip(photos, known, strict=True)
    ]
    readings = _of_one_tray(readings)
    good = [reading for reading in readings if isinstance(reading, StartReading)]
    if not good:
        return next(reading for reading in readings if isinstance(reading, Refusal))
    geometry, covariance = combine([reading.fit for reading in good])
    found = [
        _as_empty(photo, geometry, focal) if isinstance(reading, Refusal) else reading
        for photo, reading, focal in zip(photos, readings, known, strict=True)
    ]
    empties = [reading for reading in found if isinstance(reading, EmptyReading)]
    geometry, covariance = with_holes(geometry, covariance, empties)
    size = sphere_mm or ASSUMED_SPHERE_MM
    left_out = [
        f"Photo {number} was left out: {reading.text}"
        for number, (reading, seen) in enumerate(zip(readings, found, strict=True), start=1)
        if isinstance(reading, Refusal) and seen is None
    ]
    return Measured(
        profile=make_profile(
            (geometry, covariance),
            next((reading.outline for reading in good if reading.outline is not None), None),
            mean_colors([{**reading.colors.labs, "tray": reading.face} for reading in good]),
            Naming(name, size, "given" if sphere_mm else "assumed"),
        ),
        views=tuple(None if seen is None else _scaled(seen.view, size) for seen in found),
        warnings=(
            *(warning for reading in good for warning in reading.warnings),
            *left_out,
            *_second_photo(covariance),
        ),
    )


def _second_photo(covariance: Array) -> tuple[str, ...]:
    """Advice to take a second photo, if the tray is not measured well enough."""
    loose = float(np.sqrt(np.diag(covariance)[[0, 2]].max()))
    if 2 * loose <= MAY_BE_OFF:
        return ()
    return (
        f"The tray's size is known to ±{200 * loose:.1f} %. A second start photo, from another "
        "side or from nearer, would help.",
    )


def _as_empty(photo: Picture, geometry: Geometry, focal_px: float | None) -> EmptyReading | None:
    """Try to read a rejected start photo as an empty tray."""
    return None if is_dark(photo) else read_empty(brightened(photo), geometry, focal_px)


def _of_one_tray(readings: Sequence[StartReading | Refusal]) -> list[StartReading | Refusal]:
    """The readings, with those refused that show another tray than the surest photo."""
    good = [reading for reading in readings if isinstance(reading, StartReading)]
    if not good:
        return list(readings)
    surest = max(good, key=lambda reading: reading.support.total)
    other = Refusal("other_tray", "It shows another tray.")
    return [
        other
        if isinstance(reading, StartReading) and disagree(reading.fit, surest.fit)
        else reading
        for reading in readings
    ]


def _scaled(view: View, sphere_mm: float) -> View:
    """The view for tray coordinates in mm instead of sphere diameters."""
    tvec = np.array(view.pose.tvec) * sphere_mm
    return View(view.camera, Pose.of(view.pose.rotation, tvec))


def read_start(
    picture: Picture, focal_px: float | None = None, spheres: Spheres | None = None
) -> StartReading | Refusal:
    """The reading of one start photo, or the reason why there is none."""
    if is_dark(picture):
        return DARK
    bright = brightened(picture)
    marks = find(bright)
    reading = _read_marks(picture, bright, marks, marks, focal_px)
    if reading is NO_TRAY and spheres is not None:
        places = spheres(picture)
        likely = [mark for mark in marks if _is_near(mark, places)]
        reading = _read_marks(picture, bright, likely, marks, focal_px)
    return BLURRED if reading is NO_TRAY and is_blurred(bright) else reading


def _is_near(mark: Mark, places: Array) -> bool:
    """Whether one of the places (n, 2) lies well within the mark."""
    apart = np.linalg.norm(places - (mark.u, mark.v), axis=1)
    return bool((apart < LIKELY * mark.radius).any())


def _read_marks(
    picture: Picture,
    bright: Picture,
    likely: Sequence[Mark],
    marks: Sequence[Mark],
    focal_px: float | None,
) -> StartReading | Refusal:
    """The start pattern among the likely ones of all marks."""
    height, width = picture.shape[:2]
    smoothed = smooth(bright)
    fewest = FEWEST_MARKS if likely is marks else FEWEST_LIKELY
    fits = _fits(smoothed, likely, (width, height), focal_px, fewest)
    if not fits:
        return NO_TRAY
    fit, support = _most_central(fits)
    if refusal := check(smoothed, fit, support):
        return refusal
    fit = fit.turned()
    linear = to_linear(picture)
    colors = learn_colors(_bodies(linear, fit))
    if colors.is_grey:
        return Refusal("no_color", "The photo is in black and white. Take one in colour.")
    outline = measure_outline(smoothed, fit)
    face = colors.light.lab(_face(linear, fit))
    return StartReading(fit, support, colors, face, outline, _warnings(fits, fit, marks, colors))


def _fits(
    smoothed: Floats,
    marks: Sequence[Mark],
    size: tuple[int, int],
    focal_px: float | None,
    fewest: float,
) -> list[tuple[StartFit, Support]]:
    """Patterns drawn to the picture, the best of each place in it, best first."""
    focal = float(np.exp(view_prior(size, focal_px).mean[6]))
    placements = find_pattern(marks, size, focal)
    rough = [fit_to_marks(placement, marks, size, focal_px) for placement in placements]
    rough.sort(key=lambda entry: -entry[1])
    if not rough or rough[0][1] < fewest:
        return []
    likely = [state for state, found in rough if found >= PROMISING * rough[0][1]]
    drawn: list[tuple[StartFit, Support]] = []
    for state in distinct(likely)[:DRAWN]:
        fit = fit_to_picture(smoothed, state, focal_px)
        drawn.append((fit, support_of(smoothed, fit)))
    drawn.sort(key=lambda entry: -entry[1].total)
    best: list[tuple[StartFit, Support]] = []
    for fit, support in drawn:
        if not any(_same_place(fit, other) for other, _ in best):
            best.append((fit, support))
    return best


def _same_place(one: StartFit, other: StartFit) -> bool:
    """Whether two patterns share more of the picture than two trays can."""
    reach = one.geometry.slot_radius * one.view.pixels_per_mm(np.zeros((1, 3)))[0]
    return bool(np.linalg.norm(_middle(one) - _middle(other)) < reach)


def _middle(fit: StartFit) -> Array:
    return fit.view.project(np.zeros((1, 3))).ravel()


def _rivals(fits: Sequence[tuple[StartFit, Support]]) -> list[tuple[StartFit, Support]]:
    """The patterns nearly as well supported as the best."""
    bar = RIVAL * fits[0][1].total
    return [(fit, support) for fit, support in fits if support.total >= bar]


def _most_central(fits: Sequence[tuple[StartFit, Support]]) -> tuple[StartFit, Support]:
    camera = fits[0][0].view.camera
    centre = np.array([camera.width - 1, camera.height - 1]) / 2
    return min(_rivals(fits), key=lambda entry: float(np.linalg.norm(_middle(entry[0]) - centre)))


def _warnings(
    fits: Sequence[tuple[StartFit, Support]],
    fit: StartFit,
    marks: Sequence[Mark],
    colors: Colors,
) -> tuple[str, ...]:
    warnings = []
    if len(_rivals(fits)) > 1 or _spheres_beside(fit, marks) >= ANOTHER_TRAY:
        warnings.append(
            "There seems to be another tray in the photo. The one nearest the middle was measured."
        )
    if colors.margin < UNSURE_COLOR:
        warnings.append("Some spheres are hard to tell apart by colour in this light.")
    return tuple(warnings)


def _spheres_beside(fit: StartFit, marks: Sequence[Mark]) -> int:
    """How many round things beside the tray are as large as a sphere there would be."""
    places = np.array([(mark.u, mark.v, mark.radius, mark.score) for mark in marks])
    height = fit.geometry.level_one
    spots = fit.view.on_plane(places[:, :2], height)
    expected = 0.5 * fit.view.pixels_per_mm(spots)
    away = np.linalg.norm(spots[:, :2], axis=1)
    alike = np.abs(np.log(places[:, 2] / np.where(expected > 0, expected, np.nan))) < 0.15
    beside = (away > fit.geometry.slot_radius + 1.3) & alike
    on_tray = (away < fit.geometry.slot_radius + 1.0) & alike
    typical = float(np.median(places[on_tray, 3])) if on_tray.any() else 1.0
    return int((beside & (places[:, 3] > 0.65 * typical)).sum())


def _bodies(linear: Array, fit: StartFit) -> list[Array]:
    """The paint of each of the fifteen spheres, from the pixels well within its outline."""
    shown = owners(fit.view, fit.rounds.centres[:SPHERES], 0.5)
    inner = owners(fit.view, fit.rounds.centres[:SPHERES], 0.44)
    return [body_color(linear[(shown == i) & (inner == i)]) for i in range(SPHERES)]


def _face(linear: Array, fit: StartFit) -> Array:
    """The colour of the tray's face, from between the holes and the slots."""
    turn = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    inside = fit.geometry.pitch + fit.geometry.hole / 2
    middle = (inside + fit.geometry.slot_radius - fit.geometry.hole / 2) / 2
    ring = middle * np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=1)
    pixels = fit.view.project(ring)
    seen = ~inside_outlines(fit.view, fit.rounds.centres[:SPHERES], 0.53, pixels)
    u, v = np.rint(pixels[seen]).astype(np.int64).T
    height, width = linear.shape[:2]
    return body_color(linear[np.clip(v, 0, height - 1), np.clip(u, 0, width - 1)])
