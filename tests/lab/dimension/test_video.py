"""Films: one arrangement, a camera that moves smoothly, a hand and a look away when asked for."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from calibration.dimension.profile import load_profile
from lab.dimension.bench.tracking import main as bench
from lab.dimension.video import Filming, Shooting, main, shoot

TRAY = load_profile("disc")
SMALL = (160, 120)


def middles(shooting: Shooting, number: int) -> dict[str, tuple[float, float]]:
    spheres = shooting.truth(number)["spheres"]
    return {seat: (sphere["u"], sphere["v"]) for seat, sphere in spheres.items()}


def steps(filming: Filming, seed: int = 1) -> list[float]:
    """How far the spheres move (median) from each frame to the next, of the picture's width."""
    shooting = Shooting(seed, filming)
    seen = [np.array(list(middles(shooting, i).values())) for i in range(filming.frames)]
    return [
        float(np.median(np.linalg.norm(after - before, axis=1))) / filming.size[0]
        for before, after in pairwise(seen)
    ]


def test_all_frames_show_one_arrangement() -> None:
    shooting = Shooting(1, Filming(profile=TRAY))
    first, last = shooting.truth(0), shooting.truth(59)
    assert (first["layout"], first["slots"]) == (last["layout"], last["slots"])
    assert first["pose"] != last["pose"]


def test_the_camera_moves_smoothly() -> None:
    moved = steps(Filming(profile=TRAY, frames=60))
    assert np.mean(moved) > 0.001
    assert max(moved) < 0.03
    assert max(abs(a - b) for a, b in pairwise(moved)) < 0.005


def test_a_tripod_stands_still() -> None:
    assert max(steps(Filming(profile=TRAY, frames=5, sway=0.0))) == 0.0


@pytest.mark.parametrize("seed", range(4))
def test_the_tray_leaves_the_picture_and_comes_back(seed: int) -> None:
    shooting = Shooting(seed, Filming(profile=TRAY, away=(10, 40)))
    in_view = [shooting.truth(i)["in_view"] for i in (0, 9, 25, 40, 50)]
    assert in_view == [True, True, False, True, True]


@pytest.mark.parametrize("seed", range(4))
def test_a_hand_reaches_in_and_leaves(seed: int) -> None:
    shooting = Shooting(seed, Filming(profile=TRAY, hand=(10, 40)))
    hands = [shooting.truth(i)["hand"] for i in range(50)]
    assert not any(hands[:11])
    assert not any(hands[39:])
    assert hands[25] == bool(shooting.truth(25)["covered"])


def test_hands_cover_seats_in_most_films() -> None:
    filming = Filming(profile=TRAY, hand=(10, 40))
    assert sum(Shooting(seed, filming).truth(25)["hand"] for seed in range(10)) >= 6


def test_equal_seeds_make_equal_films() -> None:
    filming = Filming(profile=TRAY, frames=1, size=SMALL)
    (once,), (again,), (other,) = (shoot(seed, filming) for seed in (1, 1, 2))
    assert np.array_equal(once.picture, again.picture)
    assert once.truth == again.truth
    assert not np.array_equal(once.picture, other.picture)


def test_frames_truth_and_film_are_written_and_timed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = tmp_path / "film.mjpeg"
    frames = tmp_path / "frames"
    asked = ["--frames", "2", "--size", "160x120", "--tray", "disc", "--seed", "5"]
    assert main([*asked, "--out", str(frames), "--mjpeg", str(film)]) == 0
    lines = (frames / "truth.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["frame"] for line in lines] == [0, 1]
    written = [(frames / json.loads(line)["file"]).read_bytes() for line in lines]
    assert film.read_bytes() == b"".join(written)
    assert bench([str(frames)]) == 0
    assert "2 frames, tray in view in 2" in capsys.readouterr().out
