"""``trayscore calibrate tray`` and ``sheet``: measure a tray, print a place mat for it."""

import argparse
from collections.abc import Sequence
from math import isfinite
from pathlib import Path

import cv2

from api.cli import options
from api.cli.commands import Action
from api.cli.measuring import (
    RefusedError,
    load,
    refusing,
    show_measured,
    warn,
    write_json,
    write_whole,
)
from calibration.dimension.place_mat_pdf import SheetRefusedError, sheet_pdf
from calibration.dimension.profile import TrayProfile, format_problems, load_profile
from calibration.dimension.start.check import Refusal
from calibration.dimension.start.measure import Measured, measure
from calibration.dimension.start.overlay import draw
from calibration.fiducials import Picture
from calibration.profile_files import ProfileError
from vision.dimension.locating.sphere_hints import likely_spheres

START_SIZE = 1600
"""Long side at which a start photo is measured: a larger one takes longer and says no more."""

_MEASURES = {
    "sphere_mm": ("sphere", " mm"),
    "pitch_mm": ("neighbouring holes apart", " mm"),
    "hole_mm": ("hole", " mm"),
    "slot_radius_mm": ("slots from the centre", " mm"),
    "slot_step_mm": ("places of a slot apart", " mm"),
    "ring0_deg": ("direction of R0", "°"),
    "slot0_deg": ("direction of slot 0", "°"),
}
_COLORS = {"O": "orange", "B": "blue", "G": "green", "K": "black", "W": "white", "tray": "tray"}


def _add_tray(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    options.add_output(parser)
    parser.add_argument("--sphere-mm", type=_millimetres, help="a sphere's diameter (else 25)")
    options.add_profile_name(parser)
    parser.add_argument("--overlay", type=Path, metavar="PNG", help="draw it over the first photo")


def _add_sheet(parser: argparse.ArgumentParser) -> None:
    options.add_output(parser, "PDF")
    options.add_profile(parser, "--tray", default="disc", help="whose place mat (default disc)")
    parser.add_argument("--paper", choices=("a4", "a3", "letter"), default="a4")


def _write_sheet(args: argparse.Namespace) -> None:
    """Write the place mat for a tray as a PDF."""
    try:
        profile = load_profile(args.profile)
        content = sheet_pdf(profile, args.paper)
    except (ProfileError, SheetRefusedError) as error:
        raise RefusedError(str(error)) from error
    if profile.scale == "assumed":
        warn(
            f"the size of {profile.name} was assumed: measure a sphere and calibrate the tray "
            "with --sphere-mm, or the printed outline will not fit it."
        )
    write_whole(args.output, content)
    print(f"{args.output}: place mat for {profile.name}. Print at 100 % and check the ruler.")


def _write_tray(args: argparse.Namespace) -> None:
    """Measure a tray from start photos and write its profile."""
    photos = [load(file, START_SIZE) for file in args.photos]
    pictures = [photo.picture for photo in photos]
    measured = measure(
        pictures,
        sphere_mm=args.sphere_mm,
        name=args.name or options.name_from(args.output),
        focals=[photo.focal_px for photo in photos],
        spheres=likely_spheres,
    )
    if isinstance(measured, Refusal):
        raise RefusedError(measured.text, measured.code)
    data = measured.profile.to_json()
    if problems := format_problems(data):
        raise RefusedError(" ".join(problem.text for problem in problems), "impossible")
    if args.overlay is not None:
        write_whole(args.overlay, cv2.imencode(".png", _overlay(pictures, measured))[1].tobytes())
    write_json(args.output, data)
    for warning in measured.warnings:
        warn(warning)
    _show_tray(measured.profile)
    print(f"{args.output}: read photos of this tray with --profile {args.output}")


def _overlay(pictures: Sequence[Picture], measured: Measured) -> Picture:
    """The first photo that was used with the tray drawn over it."""
    used = zip(pictures, measured.views, strict=True)
    picture, view = next((picture, view) for picture, view in used if view is not None)
    return draw(picture, view, measured.profile)


def _show_tray(profile: TrayProfile) -> None:
    spread = {key: f"± {value:.2f}" for key, value in profile.measured.items()}
    measures = [
        (words, f"{getattr(profile, key):.2f}{unit}", spread.get(key, ""))
        for key, (words, unit) in _MEASURES.items()
    ]
    colors = [
        (_COLORS[key], f"L* {lightness:.0f}  a* {a:+.0f}  b* {b:+.0f}", "")
        for key, (lightness, a, b) in profile.colors.items()
    ]
    scale = "" if profile.scale == "given" else f", taking a sphere for {profile.sphere_mm:g} mm"
    show_measured(f"Tray {profile.name}{scale}", [*measures, *colors])


def _millimetres(text: str) -> float:
    value = float(text)
    if not (isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError("a length above 0 mm is needed")
    return value


TRAY = Action(
    _add_tray,
    refusing(_write_tray),
    "Measure a tray and its colours from photos taken before the game: all fifteen spheres in "
    "storage, the seven holes empty. You may add a photo of the empty tray. Everything is measured "
    "in spheres; --sphere-mm turns it into millimetres.",
)
SHEET = Action(
    _add_sheet,
    refusing(_write_sheet),
    "Print a place mat for a tray. A photo that shows its markers needs no search for the tray.",
)
