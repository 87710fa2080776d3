"""Measures calibration against truth.

Run it with ``python -m lab.dimension.bench.calibrating [--photos D --truth F]``.

Without arguments it takes sample_images and ``--lab`` pictures made on the spot. Four tables:

- poses from half of the seats' true centres with 2 px of noise, error on the other half;
- the same views drawn to the picture's own edges (own detections), error on the same seats;
- trays measured from start photos, against their true measures;
- what was refused that should not have been, and the other way round.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_positions
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.dimension.start.measure import StartReading, read_start
from calibration.edges import Picture
from calibration.ellipses import Array, Rounds
from calibration.occlusion import visible_shares
from calibration.pose import DegenerateMatchesError, Match, PoseFit, fit_pose
from calibration.refine import refine_view
from lab.dimension.make import Seeds, Wishes, make
from rules.dimension.places import ALL_SEATS, SPHERES
from vision.dimension.locating.sphere_hints import likely_spheres

SAMPLES = Path(__file__).parents[3] / "sample_images"
NOISE_PX = 2.0
FEWEST = 8
CORNER = 0.5
"""Truth counts pixels from the picture's corner, the program from the first one's centre."""


@dataclass(frozen=True)
class Seat:
    """True pixel of a seat's centre, and the diameter of a sphere there in pixels."""

    uv: Array
    diameter: float


@dataclass(frozen=True)
class Case:
    """A picture and its truth."""

    name: str
    picture: Picture
    truth: dict[str, Any]

    @property
    def tray(self) -> TrayProfile:
        """The tray in the picture."""
        own = self.truth.get("profile")
        return TrayProfile.from_json(own) if own else load_profile(self.truth["tray"])

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        height, width = self.picture.shape[:2]
        return width, height

    def seats(self) -> dict[str, Seat]:
        """Where seats truly are: all of them where the pose is known, else those with spheres."""
        pose = self.truth.get("pose")
        if pose is None:
            return {
                seat: Seat(np.array([sphere["u"], sphere["v"]]) - CORNER, 2 * sphere["radius"])
                for seat, sphere in self.truth["spheres"].items()
            }
        camera = Camera.of_photo(self.size, self.truth["fov_deg"], self.truth["lens_k1"])
        view = View(camera, Pose.of(pose["rvec"], pose["tvec"]))
        places = np.array(list(seat_positions(self.tray).values()))
        scale = self.tray.sphere_mm * view.pixels_per_mm(places)
        return {
            seat: Seat(uv, float(diameter))
            for seat, uv, diameter in zip(ALL_SEATS, view.project(places), scale, strict=True)
        }


@dataclass(frozen=True)
class PoseErrors:
    """Errors on seats left out of a fit, as shares of a sphere's diameter."""

    given: Array
    drawn: Array
    predicted: Array
    """What the drawn views said their errors would be, likewise."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all figures; the exit status."""
    options = _options(arguments)
    groups = {str(options.photos): list(_stored(options.photos, options.truth))}
    if options.lab:
        groups[f"lab, {options.lab} in play"] = list(_made(options.lab, options.seed, "play"))
        groups[f"lab, {options.lab} starts"] = list(_made(options.lab, options.seed, "start"))
    for name, cases in groups.items():
        _say(f"\n{name}: {len(cases)} pictures")
        for part in options.only or REPORTS:
            REPORTS[part](cases)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lab.dimension.bench.calibrating", description=__doc__
    )
    parser.add_argument("--photos", type=Path, default=SAMPLES)
    parser.add_argument("--truth", type=Path, default=None)
    parser.add_argument(
        "--lab", type=int, default=0, help="how many lab pictures to make of a kind"
    )
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=tuple(REPORTS), help="only these tables")
    return parser.parse_args(arguments)


def _stored(photos: Path, truth: Path | None) -> Iterator[Case]:
    lines = (truth or photos / "truth.jsonl").read_text("utf-8").splitlines()
    for entry in map(json.loads, lines):
        file = photos / entry["file"]
        picture = cv2.imread(str(file)) if file.is_file() else None
        if picture is not None:
            yield Case(file.name, np.asarray(picture, dtype=np.uint8), entry)


def _made(count: int, seed: int, kind: str) -> Iterator[Case]:
    for number in range(count):
        made = make(Seeds.of(seed, number), Wishes(kind=kind))
        yield Case(f"{kind}-{number}", made.picture, made.truth)


def _report_poses(cases: Iterable[Case]) -> None:
    errors, refused = [], 0
    for case in cases:
        if case.truth["tray"] and len(case.seats()) >= FEWEST:
            found = _pose_errors(case)
            refused += found is None
            errors += [found] if found else []
    if not errors:
        return
    given, drawn = (np.concatenate([getattr(e, key) for e in errors]) for key in ("given", "drawn"))
    pull = np.concatenate([e.drawn / e.predicted for e in errors])
    _say(f"  poses of {len(errors)} pictures, {len(given)} seats left out, {refused} refused")
    _say(f"    half of the true centres, 2 px noise: {_spread(given)}")
    _say(f"    drawn to the picture's edges:         {_spread(drawn)}")
    _say(f"    error over predicted deviation: median {np.median(pull):.2f}")


def _pose_errors(case: Case) -> PoseErrors | None:
    """Errors on the half of the spheres that the fit was not given."""
    chance = np.random.default_rng(crc32(case.name.encode()))
    true, places = case.seats(), seat_positions(case.tray)
    order = chance.permutation(sorted(true)).tolist()
    known, left_out = order[: len(order) // 2], order[len(order) // 2 :]
    matches = [
        Match(places[seat], _noisy(true[seat].uv, chance), sigma_px=NOISE_PX) for seat in known
    ]
    try:
        fit = fit_pose(matches, case.size)
    except DegenerateMatchesError:
        return None
    drawn = refine_view(case.picture, fit.view, _rounds(case, known))
    return PoseErrors(
        given=_errors(case, fit, left_out)[0],
        drawn=_errors(case, drawn, left_out)[0],
        predicted=_errors(case, drawn, left_out)[1],
    )


def _noisy(centre: Array, chance: np.random.Generator) -> tuple[float, float]:
    u, v = (centre + chance.normal(0, NOISE_PX, 2)).tolist()
    return u, v


def _rounds(case: Case, known: Sequence[str]) -> Rounds:
    """The spheres that the fit may see, and the rims of the empty holes.

    In the lab spheres slide along their slots; those that did are not at their seats.
    """
    tray, places, spheres = case.tray, seat_positions(case.tray), case.truth["spheres"]
    still = [seat for seat in known if seat in spheres and _at_seat(case, seat)]
    empty = [seat for seat in ALL_SEATS[:7] if seat not in spheres]
    centres = [places[seat] for seat in still] + [(*places[seat][:2], 0.0) for seat in empty]
    count = [len(still), len(empty)]
    return Rounds(
        centres=np.array(centres),
        radii=np.repeat([tray.sphere_mm / 2, tray.hole_mm / 2], count),
        flat=np.repeat([0.0, 1.0], count),
    )


def _at_seat(case: Case, seat: str) -> bool:
    """Whether the sphere lies within 2 % of its diameter of the seat."""
    sphere, true = case.truth["spheres"][seat], case.seats()[seat]
    off = np.array([sphere["u"], sphere["v"]]) - CORNER - true.uv
    return bool(np.linalg.norm(off) < 0.02 * true.diameter)


def _errors(case: Case, fit: PoseFit, seats: Sequence[str]) -> tuple[Array, Array]:
    """Errors at these seats and their predicted deviations, as shares of the diameter there."""
    places = seat_positions(case.tray)
    uv, deviation = fit.predict(np.array([places[seat] for seat in seats]))
    true = case.seats()
    diameter = np.array([true[seat].diameter for seat in seats])
    off = np.linalg.norm(uv - np.array([true[seat].uv for seat in seats]), axis=1)
    return off / diameter, deviation / diameter


def _report_shares(cases: Iterable[Case]) -> None:
    """Visible shares computed from views through the true centres, against the truth's."""
    off: list[float] = []
    for case in cases:
        spheres = case.truth["spheres"]
        if len(spheres) < FEWEST or case.truth.get("pose"):  # the lab computes them the same way
            continue
        true, seats = case.seats(), seat_positions(case.tray)
        matches = [Match(seats[seat], tuple(true[seat].uv.tolist())) for seat in true]
        view = fit_pose(matches, case.size).view
        places = np.array([seats[seat] for seat in true])
        shares = visible_shares(view, places, case.tray.sphere_mm / 2)
        off += np.abs(shares - [spheres[seat]["visible"] for seat in true]).tolist()
    if off:
        _say(f"  visible shares of {len(off)} spheres: worst {max(off):.3f} off")


def _report_starts(cases: Iterable[Case]) -> None:
    rows = []
    for case in cases:
        if case.truth["kind"] != "start":
            continue
        reading = read_start(case.picture, spheres=likely_spheres)
        if not isinstance(reading, StartReading):
            _say(f"    {case.name}: refused, {reading.code} ({case.truth['light']})")
            continue
        rows.append(_measures_off(case, reading))
        marked = " <<" if max(abs(rows[-1][0]), abs(rows[-1][2])) > 0.02 else ""
        _say(
            f"    {case.name}: {_percent(rows[-1])}, colours {_colors_right(case, reading)}{marked}"
        )
    if rows:
        table = np.abs(np.array(rows))
        within = (table[:, [0, 2]].max(axis=1) <= 0.02).mean()
        _say(f"  {len(rows)} start photos measured; pitch and slot radius in 2 %: {within:.0%}")
        _say(f"    median off: {_percent(np.median(table, axis=0))}")


def _measures_off(case: Case, reading: StartReading) -> Array:
    """By which share pitch, hole, slot radius and slot step are off."""
    tray, found = case.tray, reading.fit.geometry
    true = np.array([tray.pitch_mm, tray.hole_mm, tray.slot_radius_mm, tray.slot_step_mm])
    ours = np.array([found.pitch, found.hole, found.slot_radius, found.slot_step])
    return np.asarray(ours * tray.sphere_mm / true - 1, dtype=np.float64)


def _colors_right(case: Case, reading: StartReading) -> str:
    """How many of the fifteen spheres got the colour of the nearest true sphere."""
    seen = reading.fit.view.project(reading.fit.rounds.centres[:SPHERES])
    right = 0
    centres = {
        seat: np.array([sphere["u"], sphere["v"]]) - CORNER
        for seat, sphere in case.truth["spheres"].items()
    }
    for spot, letter in zip(seen, reading.letters, strict=True):
        nearest = min(centres, key=lambda seat: float(np.linalg.norm(centres[seat] - spot)))
        right += case.truth["slots"].get(nearest) == letter
    return f"{right}/{SPHERES}"


def _report_refusals(cases: Iterable[Case]) -> None:
    others = [case for case in cases if case.truth["kind"] != "start"]
    found = {case.name: read_start(case.picture, spheres=likely_spheres) for case in others}
    wrong = [name for name, reading in found.items() if isinstance(reading, StartReading)]
    if others:
        _say(
            f"  {len(others)} pictures are no start photos; measured: {', '.join(wrong) or 'none'}"
        )


def _spread(shares: Iterable[float] | Array) -> str:
    values = np.asarray(list(shares))
    return f"median {np.median(values):.2%}, 95 % below {np.percentile(values, 95):.2%}"


def _percent(shares: Array) -> str:
    words = ("pitch", "hole", "slot radius", "slot step")
    return ", ".join(f"{word} {share:+.1%}" for word, share in zip(words, shares, strict=True))


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


REPORTS: dict[str, Callable[[Sequence[Case]], None]] = {
    "poses": _report_poses,
    "shares": _report_shares,
    "starts": _report_starts,
    "refusals": _report_refusals,
}


if __name__ == "__main__":
    sys.exit(main())
