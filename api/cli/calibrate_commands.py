"""What the commands of ``trayscore calibrate`` do."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
from rich.console import Console
from rich.table import Table

from calibration.camera_file import camera_to_json
from calibration.charuco import SQUARE_MM, board_pdf, find_board
from calibration.dimension.place_mat_pdf import SheetRefusedError, sheet_pdf
from calibration.dimension.profile import TrayProfile, format_problems, load_profile
from calibration.dimension.start.check import Refusal
from calibration.dimension.start.measure import Measured, measure
from calibration.dimension.start.overlay import draw
from calibration.fiducials import Picture
from calibration.intrinsics import CameraMeasurement, CameraRefusedError, measure_camera
from calibration.photo_header import read_header
from calibration.profile_files import ProfileError
from vision.dimension.locating.sphere_hints import likely_spheres
from vision.photo import BadImageError, Photo, load_photo, upright

START_SIZE = 1600
"""Long side at which a start photo is measured: a larger one takes longer and says no more."""
WHOLE = 100_000
"""A long side that no photo has: nothing is scaled."""

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


class RefusedError(Exception):
    """Why a command did not do what it was asked for, in words for the person who asked."""


def run(what: str, args: argparse.Namespace) -> int:
    """Exit status of the command: 1, with the reason on standard error, if it was refused."""
    commands: dict[str, Callable[[argparse.Namespace], None]] = {
        "tray": write_tray,
        "board": write_board,
        "camera": write_camera,
        "sheet": write_sheet,
    }
    try:
        commands[what](args)
    except RefusedError as refusal:
        print(f"trayscore: {refusal}", file=sys.stderr)
        return 1
    return 0


def write_board(args: argparse.Namespace) -> None:
    """Write the board as a PDF."""
    _write(args.output, board_pdf(args.paper))
    print(f"{args.output}: squares of {SQUARE_MM:g} mm. Print at 100 % and check the ruler.")


def write_sheet(args: argparse.Namespace) -> None:
    """Write the place mat for a tray as a PDF."""
    try:
        profile = load_profile(args.tray)
        content = sheet_pdf(profile, args.paper)
    except (ProfileError, SheetRefusedError) as error:
        raise RefusedError(str(error)) from error
    if profile.scale == "assumed":
        _warn(
            f"the size of {profile.name} was assumed: measure a sphere and calibrate the tray "
            "with --sphere-mm, or the printed outline will not fit it."
        )
    _write(args.output, content)
    print(f"{args.output}: place mat for {profile.name}. Print at 100 % and check the ruler.")


def write_camera(args: argparse.Namespace) -> None:
    """Measure a camera from photos of the board and write it as JSON."""
    found = {photo: find_board(_as_stored(photo)) for photo in args.photos}
    sightings = {photo: board for photo, board in found.items() if board is not None}
    for photo in (photo for photo in found if photo not in sightings):
        _warn(f"{photo}: the board is not to be seen, or too little of it; left out.")
    try:
        measured = measure_camera(list(sightings.values()))
    except CameraRefusedError as error:
        raise RefusedError(error.text) from error
    _write(args.output, _json(camera_to_json(measured)))
    for warning in measured.warnings:
        _warn(warning)
    _show_camera(measured, list(sightings))
    print(f"{args.output}: for photos of {measured.camera.width} × {measured.camera.height}.")


def write_tray(args: argparse.Namespace) -> None:
    """Measure a tray from start photos and write its profile."""
    photos = [_load(file, START_SIZE) for file in args.photos]
    pictures = [photo.picture for photo in photos]
    measured = measure(
        pictures,
        sphere_mm=args.sphere_mm,
        name=args.name or _name_from(args.output),
        focals=[photo.focal_px for photo in photos],
        spheres=likely_spheres,
    )
    if isinstance(measured, Refusal):
        raise RefusedError(measured.text)
    data = measured.profile.to_json()
    if problems := format_problems(data):
        raise RefusedError(" ".join(problem.text for problem in problems))
    if args.overlay is not None:
        _write(args.overlay, _png(_overlay(pictures, measured)))
    _write(args.output, _json(data))
    for warning in measured.warnings:
        _warn(warning)
    _show_tray(measured.profile)
    print(f"{args.output}: read photos of this tray with --tray {args.output}")


def _overlay(pictures: Sequence[Picture], measured: Measured) -> Picture:
    """The first photo that was used with the tray drawn over it."""
    used = zip(pictures, measured.views, strict=True)
    picture, view = next((picture, view) for picture, view in used if view is not None)
    return draw(picture, view, measured.profile)


def _load(file: Path, size: int) -> Photo:
    """The upright photo in a file, no larger than this on its long side."""
    try:
        return load_photo(file, size)
    except BadImageError as error:
        raise RefusedError(f"{file}: {error.text}") from error


def _as_stored(file: Path) -> Picture:
    """The picture as the sensor gave it: one camera, however the phone was held."""
    picture = _load(file, WHOLE).picture
    header = read_header(file)
    turn = header.orientation if header else 1
    return upright(picture, {6: 8, 8: 6}.get(turn, turn))  # the other turns undo themselves


def _write(file: Path, content: bytes) -> None:
    """Write a file that is whole or not there."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_bytes(content)
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RefusedError(f"{file} cannot be written: {error.strerror}.") from error


def _json(data: dict[str, Any]) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()


def _png(picture: Picture) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


def _show_camera(measured: CameraMeasurement, photos: Sequence[Path]) -> None:
    camera, spread = measured.camera, measured.spread
    cx, cy = camera.principal
    rows = [
        ("focal length", f"{camera.focal_px:.1f} px", f"± {spread['focal_px']:.1f}"),
        ("centre, across", f"{cx:.1f} px", f"± {spread['cx']:.1f}"),
        ("centre, down", f"{cy:.1f} px", f"± {spread['cy']:.1f}"),
        ("distortion k1", f"{camera.k1:+.4f}", f"± {spread['k1']:.4f}"),
        ("distortion k2", f"{camera.k2:+.4f}", f"± {spread['k2']:.4f}"),
        ("corners off by (rms)", f"{measured.rms_px:.2f} px", ""),
    ]
    each = zip(photos, measured.photo_rms_px, strict=True)
    _show("Camera", [*rows, *((f"  {photo.name}", f"{rms:.2f} px", "") for photo, rms in each)])


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
    _show(f"Tray {profile.name}{scale}", [*measures, *colors])


def _show(title: str, rows: Sequence[tuple[str, str, str]]) -> None:
    """Print a table of what was measured, its value and its spread."""
    table = Table("measured", title=title, title_justify="left")
    table.add_column("value", justify="right")
    table.add_column("spread", justify="right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def _warn(text: str) -> None:
    print(f"trayscore: warning: {text}", file=sys.stderr)


def _name_from(file: Path) -> str:
    """The name of a file made a tray's name: dashes for what such a name may not contain."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", file.stem).strip("-._")[:64] or "my-tray"
