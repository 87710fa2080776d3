"""A camera as a JSON file: what ``trayscore calibrate camera`` writes and readings may use."""

import json
from dataclasses import asdict, replace
from math import isfinite
from pathlib import Path
from typing import Any, TypeGuard

from calibration.camera import Camera
from calibration.intrinsics import CameraMeasurement

VERSION = 1

_POSITIVE = ("width", "height", "focal_px")
_NUMBERS = (*_POSITIVE, "k1", "k2")
_SAME_ASPECT = 0.01
"""Relative difference of aspect ratio that rounding to whole pixels explains."""


class CameraFileError(ValueError):
    """Not a camera file, or not the photo's camera; ``problems`` names everything."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


def camera_to_json(measured: CameraMeasurement) -> dict[str, Any]:
    """The camera and how well it was measured, as in the file."""
    camera = measured.camera
    return {
        "kind": "camera",
        "version": VERSION,
        **asdict(camera),
        "measured": {
            "photos": len(measured.photo_rms_px),
            "rms_px": measured.rms_px,
            "spread": measured.spread,
        },
    }


def camera_from_json(data: object) -> Camera:
    """The camera written in a file; raises ``CameraFileError`` with all that is wrong."""
    problems = _problems(data)
    if problems or not isinstance(data, dict):
        raise CameraFileError(problems)
    cx, cy = data["principal"]
    width, height, focal_px, k1, k2 = (data[name] for name in _NUMBERS)
    return Camera(int(width), int(height), float(focal_px), (cx, cy), k1, k2)


def load_camera(file: Path) -> Camera:
    """The camera in this file; raises ``CameraFileError`` or ``OSError``."""
    try:
        return camera_from_json(json.loads(file.read_text("utf-8")))
    except ValueError as error:
        if isinstance(error, CameraFileError):
            raise
        raise CameraFileError((f"{file} is not JSON: {error}.",)) from error


def camera_for(camera: Camera, width: int, height: int) -> Camera:
    """The camera for its photos at another size, or held upright instead of sideways.

    Which way the phone was turned is not known, so the principal point of a turned camera is put
    at the picture's centre. Raises ``CameraFileError`` for a photo of another shape: it was
    cropped, or another camera took it.
    """
    if _alike(camera.width / camera.height, width / height):
        return camera.resized(width, height)
    if _alike(camera.height / camera.width, width / height):
        focal_px = camera.focal_px * width / camera.height
        centre = ((width - 1) / 2, (height - 1) / 2)
        return replace(camera, width=width, height=height, focal_px=focal_px, principal=centre)
    raise CameraFileError(
        (
            f"The camera was measured for photos of {camera.width}×{camera.height} pixels. This "
            f"one has {width}×{height}: it was cropped, or another camera took it.",
        )
    )


def _alike(first: float, second: float) -> bool:
    return abs(first / second - 1.0) <= _SAME_ASPECT


def _problems(data: object) -> tuple[str, ...]:
    if not isinstance(data, dict) or data.get("kind") != "camera":
        return ('This is not a camera file: "kind" is not "camera".',)
    if data.get("version") != VERSION:
        return (f"The file has version {data.get('version')!r}; this program reads {VERSION}.",)
    numbers = {name: data.get(name) for name in _NUMBERS}
    problems = [
        f'"{name}" must be a number{" above zero" if name in _POSITIVE else ""}, not {value!r}.'
        for name, value in numbers.items()
        if not _is_number(value) or (name in _POSITIVE and value <= 0)
    ]
    principal = data.get("principal")
    if not isinstance(principal, list) or [*map(_is_number, principal)] != [True, True]:
        problems.append(f'"principal" must be two numbers, not {principal!r}.')
    return tuple(problems)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
