"""``trayscore calibrate camera``, ``camera-board`` and ``board``."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from api.cli import options
from api.cli.commands import Action
from api.cli.game_commands import calibrations
from api.cli.measuring import (
    RefusedError,
    load,
    refusing,
    show_measured,
    warn,
    write_json,
    write_whole,
)
from calibration.camera_file import camera_to_json
from calibration.charuco import SQUARE_MM, board_pdf, find_board
from calibration.fiducials import Picture
from calibration.intrinsics import CameraMeasurement, CameraRefusedError, measure_camera
from calibration.photo_header import read_header
from vision.photo import upright

WHOLE = 100_000
"""A long side that no photo has: nothing is scaled."""


def _add_camera(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    options.add_output(parser)


def _add_camera_board(parser: argparse.ArgumentParser) -> None:
    options.add_output(parser, "PDF")
    _add_paper(parser)


def _add_board(parser: argparse.ArgumentParser) -> None:
    """Options for measuring a game's board, whose photos are optional, and for printing ours."""
    measure = _measure_board()
    if measure is None:
        options.add_output(parser, "PDF")
        parser.set_defaults(photos=[])
    else:
        measure.add_options(parser)
    _add_paper(parser)


def _add_paper(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4")


def _measure_board() -> Action | None:
    """The ``calibrate board`` of the game that has one."""
    found = [made.action() for made in calibrations() if made.name == "board"]
    return found[0] if found else None


def _board(args: argparse.Namespace) -> int:
    measure = _measure_board()
    if measure is None or not args.photos:  # as before any game had a board
        return CAMERA_BOARD.run(args)
    return measure.run(args)


def _write_camera_board(args: argparse.Namespace) -> None:
    write_whole(args.output, board_pdf(args.paper))
    print(f"{args.output}: squares of {SQUARE_MM:g} mm. Print at 100 % and check the ruler.")


def _write_camera(args: argparse.Namespace) -> None:
    """Measure a camera from photos of the board and write it as JSON."""
    found = {photo: find_board(_as_stored(photo)) for photo in args.photos}
    sightings = {photo: board for photo, board in found.items() if board is not None}
    for photo in (photo for photo in found if photo not in sightings):
        warn(f"{photo}: too little of the board can be seen; left out.")
    try:
        measured = measure_camera(list(sightings.values()))
    except CameraRefusedError as error:
        raise RefusedError(error.text) from error
    write_json(args.output, camera_to_json(measured))
    for warning in measured.warnings:
        warn(warning)
    _show_camera(measured, list(sightings))
    print(f"{args.output}: for photos of {measured.camera.width} × {measured.camera.height}.")


def _as_stored(file: Path) -> Picture:
    """The picture as the sensor gave it: one camera, however the phone was held."""
    picture = load(file, WHOLE).picture
    header = read_header(file)
    turn = header.orientation if header else 1
    return upright(picture, {6: 8, 8: 6}.get(turn, turn))  # the other turns undo themselves


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
    photo_rows = [(f"  {photo.name}", f"{rms:.2f} px", "") for photo, rms in each]
    show_measured("Camera", [*rows, *photo_rows])


CAMERA = Action(
    _add_camera,
    refusing(_write_camera),
    "Measure focal length, centre and distortion from 8 to 12 photos of the printed board "
    "(calibrate camera-board). Fill the picture with it: from above and tilted to each side, some "
    "with the phone turned by a quarter.",
)
CAMERA_BOARD = Action(
    _add_camera_board,
    refusing(_write_camera_board),
    "Print the board that a camera is calibrated with, as a PDF at true size.",
)
BOARD = Action(
    _add_board,
    _board,
    "With photos: measure a game's board. Without: print the board that a camera is calibrated "
    "with (calibrate camera-board).",
)
