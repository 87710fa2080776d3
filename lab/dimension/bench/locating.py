"""Measures how well trays are located.

Run it with ``python -m lab.dimension.bench.locating TRUTH.jsonl … [--fit] [--overlays D]``.

Photos are looked for beside their truth, or in the folders beside it. Prints a table by tilt of
how many views are right and how exact they are, trays invented where there are none, times, and
every failure. ``--fit`` fits the numbers of ``vision.dimension.locating.trust`` to what was found.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_positions
from calibration.dimension.profile import BUILT_IN, TrayProfile, load_profile
from calibration.edges import smooth
from vision.dimension.locating.detector import look
from vision.dimension.locating.hypotheses import candidates
from vision.dimension.locating.locate import (
    ACCEPTED,
    ATTEMPTS,
    Examined,
    best_view,
    by_place,
    views,
)
from vision.dimension.locating.trust import Signs
from vision.photo import Photo, load_photo

Array = NDArray[np.float64]

RIGHT = 0.1
"""A view is right if its seats are this near the true ones, in diameters of a sphere (median)."""
SAME_TRAY = 1.5
"""A view of which a seat is no farther off, in diameters, is meant to be of the truth's tray."""
WITHOUT = 4.0
"""Views of pictures without a tray count so many times when trust is fitted: there are few."""
PENALTY = 0.005
TILTS = (0, 15, 30, 45, 55, 90)


@dataclass(frozen=True)
class LocatedRow:
    """What was found in one photo."""

    file: Path
    truth: dict[str, Any]
    examined: Examined | None
    score: float
    errors: Array
    """Distance of each seat from where it is, in diameters; empty without a tray or its truth."""
    ms: float
    candidate: float
    """Strength of the centre by which it was found."""

    @property
    def shows_tray(self) -> bool:
        """Whether there is a tray to be found."""
        return bool(self.truth["kind"] != "negative")

    @property
    def found(self) -> bool:
        """Whether a tray is reported."""
        return self.examined is not None and self.score >= ACCEPTED

    @property
    def right(self) -> bool:
        """Whether what was examined is the tray, seen as it is."""
        return bool(self.examined is not None and len(self.errors) and self.median < RIGHT)

    @property
    def median(self) -> float:
        """Median error of the seats."""
        return float(np.median(self.errors)) if len(self.errors) else float("nan")


def photos(truths: Sequence[Path], only: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Files and truths; ``only`` ``held`` or ``open`` takes the photos held back, or the others."""
    for path in truths:
        for line in path.read_text(encoding="utf-8").splitlines():
            truth = json.loads(line)
            file = next(path.parent.glob(f"**/{truth['file']}"), None)
            if file is not None and only in ("all", "held" if held_back(file) else "open"):
                yield file, truth


def held_back(file: Path) -> bool:
    """Whether a photo of the project is kept from tuning: numbers on 7, 8, 9, one evening."""
    number = "".join(filter(str.isdigit, file.stem.split("-")[0]))
    return number[-1:] in ("7", "8", "9") or "02420" <= number <= "02426"


def profiles_for(truth: dict[str, Any]) -> list[TrayProfile]:
    """The profiles a user of this tray would have: the built-in ones, or the calibrated one."""
    if truth.get("profile") and truth["tray"] not in BUILT_IN:
        return [TrayProfile.from_json(truth["profile"])]
    return [load_profile(name) for name in BUILT_IN]


def seat_errors(examined: Examined, truth: dict[str, Any], photo: Photo) -> Array:
    """Distance of seats from where the truth has them, in diameters of a sphere there."""
    profile, places = examined.profile, seat_positions(examined.profile)
    if truth.get("pose"):
        camera = Camera.of_photo(tuple(truth["size"]), truth["fov_deg"], truth["lens_k1"])
        view = View(camera, Pose(tuple(truth["pose"]["rvec"]), tuple(truth["pose"]["tvec"])))
        seats = np.array(list(places.values()))
        true = view.project(seats)
        radii = view.pixels_per_mm(seats) * profile.sphere_radius_mm
    else:
        spheres = truth["spheres"]
        seats = np.array([places[name] for name in spheres]).reshape(-1, 3)
        true = np.array([[s["u"] - 0.5, s["v"] - 0.5] for s in spheres.values()]).reshape(-1, 2)
        radii = np.array([s["radius"] for s in spheres.values()])
    if not len(seats):
        return np.empty(0)
    ours = photo.to_original(examined.view.project(seats))
    return np.asarray(np.linalg.norm(ours - true, axis=1) / (2 * radii))


def measure(file: Path, truth: dict[str, Any]) -> LocatedRow:
    """What is found in one photo."""
    photo, profiles = load_photo(file), profiles_for(truth)
    begun = time.perf_counter()
    found = best_view(photo, profiles)
    ms = (time.perf_counter() - begun) * 1000
    if found is None:
        return LocatedRow(file, truth, None, 0.0, np.empty(0), ms, 0.0)
    errors = np.empty(0)
    if truth["kind"] != "negative":
        errors = seat_errors(found.examined, truth, photo)
    score, strength = found.examined.score, found.candidate.strength
    return LocatedRow(file, truth, found.examined, score, errors, ms, strength)


def report(rows: Sequence[LocatedRow]) -> None:
    """Print the tables."""
    trays = [row for row in rows if row.shows_tray]
    print("tilt      photos  found  right   median   95 %  of a sphere's diameter")
    for low, high in pairwise(TILTS):
        here = [row for row in trays if low <= row.truth["tilt_deg"] < high]
        _line(f"{low:2}–{high:2}°", here)
    _line("all", trays)
    empty = [row for row in rows if not row.shows_tray]
    print(f"no tray: {len(empty)} photos, {sum(row.found for row in empty)} invented")
    ms = np.percentile([row.ms for row in rows], [50, 95])
    print(f"time: median {ms[0]:.0f} ms, 95 % {ms[1]:.0f} ms")
    for row in rows:
        missed = not row.found or (len(row.errors) > 0 and not row.right)
        if missed if row.shows_tray else row.found:
            print(
                f"  {row.file.name}  tilt {row.truth['tilt_deg']}  centre {row.candidate:.2f}  "
                f"score {row.score:.3f}  error {row.median:.3f}"
            )


def _line(name: str, rows: Sequence[LocatedRow]) -> None:
    if not rows:
        return
    found = [row for row in rows if row.found]
    errors = [row.median for row in found if row.right] or [float("nan")]
    known = [row for row in rows if len(row.errors) or not row.found]
    right = sum(row.found and row.right for row in known)
    middle, most = np.nanpercentile(errors, [50, 95])
    print(
        f"{name:9} {len(rows):6} {len(found) / len(rows):6.1%} {right / max(len(known), 1):6.1%}"
        f"  {middle:6.1%} {most:6.1%}"
    )


def fit_trust(chosen: Sequence[tuple[Path, dict[str, Any]]]) -> None:
    """Print the weights of ``locating.trust``: logistic regression over all candidates' views.

    No sign may count against a tray: that would be an accident of the pictures at hand.
    """
    from scipy.optimize import minimize  # noqa: PLC0415, only this option needs it

    judged = [one for file, truth in chosen for one in _judged(file, truth)]
    signs = np.array([astuple(one) for one, _, _ in judged])
    right, weight = np.array([told for _, *told in judged], dtype=np.float64).T

    def loss(values: Array) -> float:
        logits = signs @ values[:-1] + values[-1]
        misfit = np.logaddexp(0.0, logits) - right * logits
        return float(weight @ misfit + PENALTY * (values[:-1] ** 2).sum())

    count = signs.shape[1]
    bounds = [(0.0, None)] * count + [(None, None)]
    best = minimize(loss, np.zeros(count + 1), bounds=bounds).x
    names = [field.name for field in fields(Signs)]
    print(f"{len(judged)} views, {int(right.sum())} right")
    print("WEIGHTS:", ", ".join(f"{n}={w:.2f}" for n, w in zip(names, best[:-1], strict=True)))
    print(f"BIAS: {best[-1]:.2f}")


def _judged(file: Path, truth: dict[str, Any]) -> list[tuple[Signs, bool, float]]:
    """Signs of all views tried in a photo, whether each is right, and how much it counts."""
    photo = load_photo(file)
    smoothed, seen = smooth(photo.picture), look(photo.picture)
    found = []
    for candidate in by_place(candidates(seen), photo.picture)[:ATTEMPTS]:
        for examined in views(photo, smoothed, seen, candidate, profiles_for(truth)):
            if truth["kind"] == "negative":
                found.append((examined.signs, False, WITHOUT))
                continue
            errors = seat_errors(examined, truth, photo)
            if errors.min(initial=np.inf) > SAME_TRAY:
                continue  # of another tray the truth says nothing
            found.append((examined.signs, float(np.median(errors)) < RIGHT, 1.0))
    return found


def draw(row: LocatedRow, directory: Path) -> None:
    """Write the photo with what was found on it."""
    picture = load_photo(row.file).picture.copy()
    if row.examined is not None:
        view, profile = row.examined.view, row.examined.profile
        seats = np.array(list(seat_positions(profile).values()))
        for u, v, major, minor, angle in view.sphere_outlines(seats, profile.sphere_radius_mm):
            box = ((float(u), float(v)), (float(2 * major), float(2 * minor)))
            cv2.ellipse(picture, (*box, float(np.degrees(angle))), (0, 255, 255), 1, cv2.LINE_AA)
    cv2.imwrite(str(directory / f"{row.file.stem}.png"), picture)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and report; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.dimension.bench.locating", description=__doc__
    )
    parser.add_argument("truths", type=Path, nargs="+")
    parser.add_argument("--only", choices=("all", "open", "held"), default="all")
    parser.add_argument("--most", type=int, help="no more photos than this")
    parser.add_argument(
        "--fit", action="store_true", help="fit the numbers of vision.dimension.locating.trust"
    )
    parser.add_argument("--overlays", type=Path, help="draw failures here")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    chosen = list(photos(options.truths, options.only))[: options.most]
    if options.fit:
        fit_trust(chosen)
        return 0
    rows = [measure(file, truth) for file, truth in chosen]
    report(rows)
    if options.overlays:
        options.overlays.mkdir(parents=True, exist_ok=True)
        for row in rows:
            if row.found != row.shows_tray or (len(row.errors) and not row.right):
                draw(row, options.overlays)
    return 0


if __name__ == "__main__":
    sys.exit(main())
