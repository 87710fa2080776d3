"""What the commands of ``trayscore calibrate`` do."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.camera_file import camera_to_json
from calibration.charuco import SQUARE_MM, board_pdf, find_board
from calibration.fiducials import Picture
from calibration.intrinsics import CameraMeasurement, CameraRefusedError, measure_camera
from calibration.placemat_pdf import SheetRefusedError, sheet_pdf
from calibration.profile import load_profile
from calibration.profile_check import ProfileError


class RefusedError(Exception):
    """Why a command did not do what it was asked for, in words for the person who asked."""


def run(what: str, args: argparse.Namespace) -> int:
    """Exit status of the command: 1, with the reason on standard error, if it was refused."""
    commands: dict[str, Callable[[argparse.Namespace], None]] = {
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
    # Pixels as the sensor gave them: one camera, however the phone was held.
    stored = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    found = {photo: find_board(_read_photo(photo, stored)) for photo in args.photos}
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


def _read_photo(file: Path, how: int = cv2.IMREAD_COLOR) -> Picture:
    """The picture in a file, upright unless OpenCV is told otherwise."""
    try:
        content = np.frombuffer(file.read_bytes(), np.uint8)
    except OSError as error:
        raise RefusedError(f"{file} cannot be read: {error.strerror}.") from error
    picture = cv2.imdecode(content, how) if content.size else None
    if picture is None:
        raise RefusedError(f"{file} is not a picture that can be decoded (JPEG, PNG, WebP …).")
    return np.asarray(picture, dtype=np.uint8)


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
