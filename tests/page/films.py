"""Films of the lab before a camera: trays that lie there, and a hand that hardly moves."""

import json
from pathlib import Path

from lab.dimension.video import main as make_film
from rules.dimension.layout import Layout

FRAMES = 2
SHOWN = 150
"""Times that a frame is shown before the next one."""


def filmed(seed: int, out: Path) -> Path:
    """The folder with the frames of a tray, and their truth."""
    looks = ["--size", "800x600", "--tray", "disc", "--light", "office", "--sway", "0.2"]
    make_film(["--frames", str(FRAMES), "--seed", str(seed), *looks, "--out", str(out)])
    return out


def reel(path: Path, *folders: Path) -> Path:
    """A film that shows these trays one after the other, for ever."""
    frames = [frame.read_bytes() for out in folders for frame in sorted(out.glob("*.jpg"))]
    path.write_bytes(b"".join(frame * SHOWN for frame in frames))
    return path


def truth(folder: Path) -> Layout:
    """What lies on the tray of a film."""
    return Layout.parse(json.loads((folder / "truth.jsonl").read_text().splitlines()[0])["layout"])
