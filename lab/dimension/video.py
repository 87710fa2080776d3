"""Films a tray: ``python -m lab.dimension.video --frames 60 --seed 1 --out DIR --mjpeg FILE``.

One arrangement, a camera held by hand above it, and what may come between: a hand that reaches in
and leaves (``--hand``), the camera that looks away and comes back (``--away``). Frames are written
as JPEG with their truth, and as one file of plain concatenated JPEGs that Chromium takes for a
camera (``--use-fake-device-for-media-stream --use-file-for-fake-video-capture=FILE.mjpeg``).
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calibration.camera import Camera, FloatArray, Pose, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import TrayProfile, load_profile
from calibration.refine import inside_outlines
from lab.dimension.arrange import Arrangement, arrange
from lab.dimension.hand import draw_hand
from lab.dimension.setting import LIGHTS, Setting, draw_setting
from lab.dimension.truth import truth_of
from lab.processes import side_by_side
from lab.rendering.colors import random_color
from lab.rendering.expose import photograph
from lab.rendering.film import Picture, jpeg_bytes
from lab.rendering.scene import Ball, Film, Paint, Scene
from rules.dimension.layout import Layout
from rules.dimension.places import ALL_SEATS, HOLES

Rng = np.random.Generator
Stretch = tuple[int, int]
"""The first frame of something and the first one after it."""

FRAMES_A_SECOND = 15
QUALITY = 75
"""Of the JPEGs: about what browsers send."""
_REACH_IN = 0.3  # of its stretch: how long a hand takes to reach in, and again to leave
_ARM = 11.0  # spheres' diameters by which a hand is out of the way


@dataclass(frozen=True)
class Filming:
    """What a film is asked to be; None leaves it to chance."""

    frames: int = 60
    size: tuple[int, int] = (512, 384)
    profile: TrayProfile | None = None
    layout: Layout | None = None
    light: str | None = None
    table: str | None = None
    tilt_deg: tuple[float, float] = (10.0, 40.0)
    sway: float = 1.0
    """How much the camera moves: 1 is somebody who looks for a good angle, 0 is a tripod."""
    hand: Stretch | None = None
    gloved: bool = False
    away: Stretch | None = None


@dataclass(frozen=True)
class FilmFrame:
    """A frame (BGR) and its truth, as of a photo; and ``in_view``, ``covered``, ``frame``.

    ``in_view``: all seven holes are in the picture; ``covered``: seats before whose middle the
    hand is.
    """

    picture: Picture
    truth: dict[str, Any]


@dataclass(frozen=True)
class Sway:
    """One of the camera's movements: two slow waves, the second twice as fast."""

    size: float
    frequency: float
    phase: tuple[float, float]

    @classmethod
    def draw(cls, rng: Rng, size: float) -> "Sway":
        """A movement by chance: 3 to 6 seconds to and fro."""
        first, second = rng.uniform(0, 2 * np.pi, 2).tolist()
        return cls(size, 2 * np.pi / (FRAMES_A_SECOND * rng.uniform(3.0, 6.0)), (first, second))

    def at(self, frame: int) -> float:
        """How far it has gone in a frame; nowhere in the first one."""
        return self._wave(frame) - self._wave(0)

    def _wave(self, frame: int) -> float:
        turn = self.frequency * frame
        slow, fast = np.sin(turn + self.phase[0]), np.sin(2 * turn + self.phase[1])
        return float(self.size * (0.75 * slow + 0.25 * fast))


@dataclass(frozen=True)
class Stand:
    """Where the camera is held: angles in degrees, lengths in units of the tray's reach."""

    tilt: float
    around: float
    distance: float
    target: tuple[float, float]
    roll: float

    def pose(self, reach: float) -> Pose:
        """The tray's pose before a camera held like this."""
        tilt, around = np.radians([self.tilt, self.around])
        eye = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
        return Pose.looking_at(
            self.distance * reach * eye, reach * np.array([*self.target, 0.0]), self.roll
        )


class Shooting:
    """A film before it is taken: every frame can be made by itself."""

    def __init__(self, seed: int, filming: Filming) -> None:
        chance = np.random.default_rng((seed, 0))
        self._seed, self._filming = seed, filming
        self.setting: Setting = draw_setting(chance, filming.profile, filming.light, filming.table)
        self.things: Arrangement = arrange(chance, self.setting, "play", filming.layout, 0)
        self._lens = (float(chance.uniform(55, 70)), float(chance.uniform(-0.02, 0.015)))
        self._camera = Camera.of_photo(filming.size, *self._lens)
        self._reach = self.setting.profile.slot_radius_mm + self.setting.profile.sphere_mm
        self._stand = self._draw_stand(chance)
        sizes = filming.sway * np.array([5.0, 9.0, 0.08, 0.08, 0.08, 4.0])
        self._sways = [Sway.draw(chance, float(size)) for size in sizes]
        self._aside = float(chance.uniform(0, 2 * np.pi))
        self._hand = self._draw_hand(chance)
        self._film = Film(
            exposure=float(2 ** chance.normal(0.3, 0.2)),
            contrast=float(chance.uniform(0.0, 0.4)),
            vignette=float(chance.uniform(0.0, 0.2)),
            noise=float(chance.uniform(0.005, 0.03)),
            jpeg=88,
        )

    def frame(self, number: int) -> FilmFrame:
        """The frame of this number."""
        scene = Scene(
            view=self._view(number),
            balls=(*self.things.balls, *self._reaching(number)),
            blocks=self.things.blocks,
            table=replace(self.setting.table, cards=self.things.cards),
            lights=self.setting.lights,
            room=self.setting.room,
            film=self._film,
        )
        chance = np.random.default_rng((self._seed, 1, number))
        return FilmFrame(photograph(scene, chance), self.truth(number))

    def truth(self, number: int) -> dict[str, Any]:
        """The truth of the frame of this number, without taking it."""
        view = self._view(number)
        covered = _covered(view, self.setting.profile, self._reaching(number))
        return {
            "kind": "play",
            "view": "any",
            **truth_of(self.things, self.setting, view, self._lens),
            "hand": bool(covered),
            "covered": covered,
            "in_view": _in_view(view, self.setting.profile),
            "frame": number,
        }

    def _view(self, number: int) -> View:
        return View(self._camera, self._moved(number).pose(self._reach))

    def _draw_stand(self, rng: Rng) -> Stand:
        fill = rng.uniform(0.62, 0.8)
        distance = self._camera.focal_px * 2 / (fill * min(self._filming.size))
        return Stand(
            tilt=float(rng.uniform(*self._filming.tilt_deg)),
            around=float(rng.uniform(0, 360)),
            distance=distance,
            target=(0.0, 0.0),
            roll=float(rng.uniform(-25, 25)),
        )

    def _draw_hand(self, rng: Rng) -> tuple[Ball, ...]:
        hand = draw_hand(rng, self.setting)
        if not self._filming.gloved:
            return hand
        glove = Paint(random_color(rng), rng.uniform(0.0, 0.6), 0.2)
        return tuple(replace(ball, paint=glove) for ball in hand)

    def _moved(self, number: int) -> Stand:
        tilt, around, distance, x, y, roll = (sway.at(number) for sway in self._sways)
        gone = 0.0 if self._filming.away is None else _bump(number, self._filming.away, 0.45)
        far = 4.0 * gone * np.array([np.cos(self._aside), np.sin(self._aside)])
        return Stand(
            tilt=abs(self._stand.tilt + tilt),
            around=self._stand.around + around,
            distance=self._stand.distance * (1 + distance),
            target=(x + float(far[0]), y + float(far[1])),
            roll=self._stand.roll + roll,
        )

    def _reaching(self, number: int) -> tuple[Ball, ...]:
        """The balls of the hand in a frame; none while it is away."""
        if (
            self._filming.hand is None
            or not self._filming.hand[0] <= number < self._filming.hand[1]
        ):
            return ()
        tip, arm = (np.array(ball.centre) for ball in (self._hand[0], self._hand[-1]))
        outward = (arm - tip) / np.linalg.norm(arm - tip)
        out = 1.0 - _bump(number, self._filming.hand, _REACH_IN)
        shift = outward * out * _ARM * self.setting.profile.sphere_mm
        return tuple(_shifted(ball, shift) for ball in self._hand)


def _bump(number: int, stretch: Stretch, rise: float) -> float:
    """From 0 smoothly to 1 and back over a stretch of frames, of which each way takes a share."""
    first, end = stretch
    through = (number - first + 0.5) / (end - first)
    ramp = np.clip(min(through, 1.0 - through) / rise, 0.0, 1.0)
    return float(ramp * ramp * (3 - 2 * ramp))


def _shifted(ball: Ball, shift: FloatArray) -> Ball:
    x, y, z = (np.array(ball.centre) + shift).tolist()
    return replace(ball, centre=(x, y, z))


def _in_view(view: View, profile: TrayProfile) -> bool:
    pixels = view.project(seat_array(profile)[:HOLES])
    size = (view.camera.width - 1, view.camera.height - 1)
    return bool(((pixels >= 0) & (pixels <= size)).all())


def _covered(view: View, profile: TrayProfile, hand: Sequence[Ball]) -> list[str]:
    """The seats before whose middle a ball of the hand is."""
    seats = seat_array(profile)
    pixels = view.project(seats)
    hidden = np.zeros(len(seats), bool)
    for radius in {ball.radius for ball in hand}:
        balls = np.array([ball.centre for ball in hand if ball.radius == radius])
        hidden |= inside_outlines(view, balls, radius, pixels)
    return [seat for seat, is_hidden in zip(ALL_SEATS, hidden, strict=True) if is_hidden]


def shoot(seed: int, filming: Filming) -> Iterator[FilmFrame]:
    """The frames of a film, one after the other."""
    shooting = Shooting(seed, filming)
    for number in range(filming.frames):
        yield shooting.frame(number)


def write_frame(out: Path, seed: int, filming: Filming, number: int) -> str:
    """Make one frame and write it; returns its line of truth."""
    frame = Shooting(seed, filming).frame(number)
    name = f"{number:05d}.jpg"
    (out / name).write_bytes(jpeg_bytes(frame.picture, QUALITY))
    return json.dumps({"file": name, **frame.truth})


def main(arguments: Sequence[str] | None = None) -> int:
    """Write frames, truth.jsonl and the film; the exit status."""
    options = _options(arguments)
    filming = Filming(
        frames=options.frames,
        size=options.size,
        profile=load_profile(options.tray) if options.tray else None,
        light=options.light,
        sway=options.sway,
        hand=options.hand,
        gloved=options.gloves,
        away=options.away,
    )
    options.out.mkdir(parents=True, exist_ok=True)
    write = partial(write_frame, options.out, options.seed, filming)
    with side_by_side(options.jobs) as pool:
        lines = list(pool.map(write, range(options.frames)))
    (options.out / "truth.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.mjpeg:
        frames = sorted(options.out.glob("[0-9]*.jpg"))
        options.mjpeg.write_bytes(b"".join(frame.read_bytes() for frame in frames))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.dimension.video", description=__doc__)
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=_size, default=(1024, 768), help="such as 1024x768")
    parser.add_argument("--tray", help="profile by name or file instead of any")
    parser.add_argument("--light", choices=tuple(LIGHTS))
    parser.add_argument("--sway", type=float, default=1.0, help="0 is a tripod")
    parser.add_argument("--hand", type=_stretch, help="frames in which one reaches in: 20-40")
    parser.add_argument("--gloves", action="store_true", help="the hand has a glove on")
    parser.add_argument("--away", type=_stretch, help="frames in which the camera looks away")
    parser.add_argument("--out", type=Path, required=True, help="directory for the frames")
    parser.add_argument("--mjpeg", type=Path, help="file for the whole film")
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args(arguments)


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def _stretch(text: str) -> Stretch:
    first, end = text.split("-")
    return int(first), int(end)


if __name__ == "__main__":
    sys.exit(main())
