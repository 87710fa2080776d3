"""Pictures to train with: ``python -m lab.cube.training.lessons DIR --count N --seed S``.

Each is drawn a little larger than the network sees it and made smaller, as a photo is.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from lab.cube.render import draw
from lab.cube.scene import Board, Rng, random_light, random_scene
from vision.cube.network import SIZE, STRIDE

DRAWN = (256, 192)
SHARD = 64
FIELD = ((0.0, 4.0, 0.0), (4.0, 4.0, 0.0), (4.0, 0.0, 0.0), (0.0, 0.0, 0.0))
EMPTY = 0.06
"""Share of pictures without a board."""


def lesson(rng: Rng) -> dict[str, np.ndarray]:
    """One picture with what the network is to say of it."""
    has_board = rng.random() > EMPTY
    scene = random_scene(rng, DRAWN, has_board=has_board)
    drawn = draw(scene, rng)
    picture = cv2.resize(drawn.picture, SIZE, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.7:
        quality = int(rng.integers(60, 96))
        written = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR))
    cells = (SIZE[0] // STRIDE, SIZE[1] // STRIDE)
    rows = ((np.arange(cells[1]) + 0.5) * DRAWN[1] / cells[1]).astype(int)
    columns = ((np.arange(cells[0]) + 0.5) * DRAWN[0] / cells[0]).astype(int)
    corners = (scene.view.project(FIELD) + 0.5) * SIZE[0] / DRAWN[0] - 0.5
    if not has_board:
        corners = np.full_like(corners, -1e3)
    return {
        "picture": picture,
        "surface": drawn.surface[rows][:, columns],
        "color": drawn.color[rows][:, columns],
        "corners": corners.astype(np.float32),
        "palette": measured_palette(scene.board, rng),
    }


def measured_palette(board: Board, rng: Rng) -> np.ndarray:
    """The four colours (4, 3) as a start photo under some other light gives them, 0 … 255."""
    light = random_light(rng)
    tint = (light.sky + light.lamps[0][1] * rng.uniform(0.2, 0.8)) * light.balance
    tint = tint / tint.mean() * np.exp(rng.normal(0.1, 0.25))
    seen = np.array(board.colors) * tint * np.exp(rng.normal(0, 0.12, (4, 1)))
    seen = seen * np.exp(rng.normal(0, 0.04, (4, 3))) + rng.uniform(0, 0.02)
    return np.asarray(np.clip(seen, 0, 1) ** (1 / 2.2) * 255, np.float32)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill a directory with shards of lessons; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.cube.training.lessons", description=__doc__
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    options.directory.mkdir(parents=True, exist_ok=True)
    for shard in range(options.count // SHARD):
        rng = np.random.default_rng([options.seed, shard])
        lessons = [lesson(rng) for _ in range(SHARD)]
        stacked = {key: np.stack([one[key] for one in lessons]) for key in lessons[0]}
        part = options.directory / f".{options.seed}-{shard:04d}.npz"
        np.savez(part, **stacked)  # type: ignore[arg-type]
        part.rename(options.directory / part.name[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
