"""What the locating network should see in a lab picture: spheres, holes, slots, trays.

The truth beside a lab picture speaks of the main tray only. A picture's name holds its seeds, so
the whole scene is drawn again (without rendering it), with neighbours and strays.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.camera import FloatArray, View
from calibration.occlusion import hiding
from lab.dimension.make import Seeds, Wishes, compose
from lab.rendering.scene import Ball, Block

Flags = NDArray[np.bool_]

VISIBLE = 0.25
"""A sphere that shows less than this share is not asked for: its middle is hidden."""

_SAMPLES = 64  # rays a sphere: enough to tell a quarter from less


@dataclass(frozen=True)
class Labels:
    """Places in a picture, in pixels (N, 2), of all trays' parts and of all spheres."""

    spheres: FloatArray
    holes: FloatArray
    """Middles of empty holes that no sphere hides."""
    centres: FloatArray
    """(T, 2): centre hole of each tray, on its face, hidden or not, in the picture or beside it."""
    slots: FloatArray
    """(T, 5, 2): middle of each storage slot, on the face, likewise."""
    centres_in: Flags
    """(T,): whether that centre is in the picture."""
    slots_in: Flags

    def moved(self, warp: FloatArray) -> "Labels":
        """The labels of the picture warped by a 2 × 3 matrix."""

        def move(part: FloatArray) -> FloatArray:
            return part @ warp[:, :2].T + warp[:, 2]

        return replace(
            self,
            spheres=move(self.spheres),
            holes=move(self.holes),
            centres=move(self.centres),
            slots=move(self.slots),
        )


def labels_of(name: str, truth: dict[str, Any]) -> Labels:
    """The labels of the single picture that ``lab.dimension.make`` gave this name.

    Raises ``ValueError`` if the lab of today would make another picture of its seeds.
    """
    numbers = re.fullmatch(r"(\d+)-(\d+)", Path(name).stem)
    if numbers is None:
        raise ValueError(f"{name} is not named as a single picture of lab.dimension.make.")
    width, height = truth["size"]
    seeds = Seeds.of(int(numbers[1]), int(numbers[2]))
    scene, drawn = compose(seeds, Wishes(size=(width, height)))
    if drawn["kind"] != truth["kind"] or not _same_pose(drawn["pose"], truth["pose"]):
        raise ValueError(f"{name} was made by another version of the lab, or by other wishes.")
    negative = truth["kind"] == "negative"
    trays = [] if negative else [block for block in scene.blocks if block.recesses is not None]
    return _labels(scene.view, trays, scene.balls)


def _same_pose(one: dict[str, Any] | None, other: dict[str, Any] | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.allclose(one["tvec"], other["tvec"]) and np.allclose(one["rvec"], other["rvec"])


def _labels(view: View, trays: Sequence[Block], balls: Sequence[Ball]) -> Labels:
    places = np.array([ball.centre for ball in balls]).reshape(-1, 3)
    radius = balls[0].radius if balls else 1.0
    spheres = np.empty((0, 2))
    if balls:
        shown = hiding(view, places, radius, _SAMPLES).visible() > VISIBLE
        spheres = view.sphere_outlines(places[shown], radius)[:, :2]
    holes, centres, slots = [np.empty((0, 2))], [np.empty((0, 2))], [np.empty((0, 5, 2))]
    for tray in trays:
        if tray.recesses is None:
            continue
        middles = (tray.recesses.starts + tray.recesses.ends).astype(np.float64) / 2
        on_face = np.column_stack([middles, np.full(len(middles), tray.top)])
        pixels = view.project(on_face)
        if np.isnan(pixels).any():
            continue
        seen = ~_hidden(view, on_face[:7], places, radius)
        holes.append(pixels[:7][seen])
        centres.append(pixels[:1])
        slots.append(pixels[None, 7:])
    size = (view.camera.width, view.camera.height)
    spheres, all_holes = (
        part[_in_picture(part, size)] for part in (spheres, np.concatenate(holes))
    )
    all_centres, all_slots = np.concatenate(centres), np.concatenate(slots)
    return Labels(
        spheres,
        all_holes,
        all_centres,
        all_slots,
        _in_picture(all_centres, size),
        _in_picture(all_slots, size),
    )


def _in_picture(pixels: FloatArray, size: tuple[int, int]) -> Flags:
    """Which points (…, 2) are; NaN (behind the camera) is not."""
    return np.asarray(((pixels > -0.5) & (pixels < np.array(size) - 0.5)).all(axis=-1))


def _hidden(view: View, points: FloatArray, places: FloatArray, radius: float) -> Flags:
    """Which points (N,) of a tray's face lie behind or under one of the spheres."""
    towards = points - view.pose.eye
    reach = np.linalg.norm(towards, axis=1, keepdims=True)
    towards = towards / reach
    offset = places[None] - view.pose.eye
    along = np.clip((offset * towards[:, None]).sum(-1), 0, reach)
    aside = np.linalg.norm(offset - along[..., None] * towards[:, None], axis=-1)
    return np.asarray((aside < radius).any(axis=1))
