"""Measures reading by the place mat.

Run it with ``python -m lab.dimension.bench.place_mat [--count 24] [--seed 11]``.

Lab pictures of trays on their mats: how exactly seats are found by the mat and without its help;
and what looking for a mat costs in photos that show none.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np

from calibration.camera import Camera, Pose, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.place_mat import shows_mat
from calibration.dimension.profile import TrayProfile
from calibration.ellipses import Array
from lab.dimension.make import Made, Seeds, Wishes, make
from lab.rendering.film import jpeg_bytes
from vision.dimension.locating.locate import Located, locate
from vision.dimension.locating.mat import find_mat, locate_on_mat
from vision.photo import Photo, load_photo

SAMPLES = Path(__file__).parents[3] / "sample_images"
KINDS = ("play", "play", "empty", "start")
STEEP = (40.0, 60.0)
"""Every other picture is taken at such a tilt."""
TIMES = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all figures; the exit status."""
    options = _options(arguments)
    errors: dict[str, list[Array]] = {"by the mat": [], "without its help": []}
    mats = 0
    for number in range(options.count):
        steep = STEEP if number % 2 else None
        wishes = Wishes(kind=KINDS[number % len(KINDS)], mat=True, tilt_deg=steep)
        made = make(Seeds.of(options.seed, number), wishes)
        if not made.truth["mat"]:  # a tray too large for any paper
            continue
        mats += 1
        photo = load_photo(jpeg_bytes(made.picture, 95))
        tray = TrayProfile.from_json(made.truth["profile"])
        mat = find_mat(photo, [tray])
        by_mat = locate_on_mat(photo, mat, [tray]) if mat is not None else None
        for way, located in zip(errors, (by_mat, locate(photo, [tray])), strict=True):
            if located is not None:
                errors[way].append(_errors(located, photo, made))
    _say(f"{mats} pictures of trays on mats; errors of seats as shares of a sphere's diameter")
    for way, found in errors.items():
        every = np.concatenate(found) if found else np.array([np.nan])
        _say(
            f"  {way}: {len(found)} found, median {np.median(every):.2%}, "
            f"95 % below {np.percentile(every, 95):.2%}, largest {every.max():.1%}"
        )
    _report_cost(options.photos)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lab.dimension.bench.place_mat", description=__doc__
    )
    parser.add_argument("--count", type=int, default=24, help="how many lab pictures to make")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--photos", type=Path, default=SAMPLES, help="photos without a mat")
    return parser.parse_args(arguments)


def _errors(located: Located, photo: Photo, made: Made) -> Array:
    """Errors (29,) of the seats as shares of a sphere's diameter."""
    height, width = photo.picture.shape[:2]
    camera = Camera.of_photo((width, height), made.truth["fov_deg"], made.truth["lens_k1"])
    truth = View(camera, Pose.of(made.truth["pose"]["rvec"], made.truth["pose"]["tvec"]))
    seats = seat_array(located.profile)
    diameter = located.profile.sphere_mm * truth.pixels_per_mm(seats)
    off = np.linalg.norm(located.view.project(seats) - truth.project(seats), axis=1)
    return np.asarray(off / diameter)


def _report_cost(photos: Path) -> None:
    """Print how long it takes to see that there is no mat."""
    costs, mistaken = [], []
    for file in sorted(photos.glob("*.jpg")):
        picture = load_photo(file).picture
        goes = []
        for _ in range(TIMES):
            begun = process_time()
            seen = shows_mat(picture)
            goes.append(1000 * (process_time() - begun))
        costs.append(min(goes))
        mistaken += [file.name] if seen else []
    _say(f"{len(costs)} photos without a mat; taken for one with: {', '.join(mistaken) or 'none'}")
    _say(f"  to see that: median {np.median(costs):.2f} ms, largest {max(costs):.2f} ms")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
