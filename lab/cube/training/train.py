"""Trains the network that sees boards and cubes: ``python -m lab.cube.training.train DIR --out F``.

DIR holds what ``lab.cube.training.lessons`` made; shards that appear meanwhile are used too. Needs
torch and onnx, which nothing outside the lab does.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from calibration.cube.colors import Palette
from vision.cube.network import COLORS, CORNERS, INPUTS, OUTPUTS, SIZE, STRIDE, SURFACES
from vision.cube.network import network_input as channels_of

WIDTHS = (16, 32, 56, 80)
"""Channels at strides 2, 4, 8, 16."""
BATCH = 8
RATE = 3e-3
PEAK_CELLS = 2.0
RARE = 40.0
RECENT = 40
"""Shards that are kept in memory."""


def _conv(inside: int, outside: int, stride: int = 1, reach: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, reach, reach, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Network(nn.Module):
    """Channels (N, ``INPUTS``, rows, columns) → logits (N, ``OUTPUTS``, rows / 2, columns / 2)."""

    def __init__(self) -> None:
        super().__init__()
        first, *wider = WIDTHS
        self.stem = _conv(INPUTS, first, 2)
        self.down = nn.ModuleList()
        before = first
        for width in wider:
            self.down.append(nn.Sequential(_conv(before, width, 2), _conv(width, width)))
            before = width
        self.bottom = nn.ModuleList(_conv(before, before, reach=reach) for reach in (1, 2, 4))
        self.across = nn.ModuleList()
        self.up = nn.ModuleList()
        for width in reversed(WIDTHS[:-1]):
            self.across.append(nn.Conv2d(before, width, 1))
            self.up.append(_conv(width, width))
            before = width
        self.head = nn.Conv2d(before, OUTPUTS, 1)
        assert self.head.bias is not None
        nn.init.constant_(self.head.bias[-CORNERS:], -4.0)

    def forward(self, channels: Tensor) -> Tensor:
        """The logits."""
        now = self.stem(channels)
        scales = [now]
        for down in self.down:
            now = down(now)
            scales.append(now)
        for wider in self.bottom:
            now = now + wider(now)
        for across, up, beside in zip(self.across, self.up, reversed(scales[:-1]), strict=True):
            wide = nn.functional.interpolate(across(now), scale_factor=2.0, mode="nearest")
            now = up(wide + beside)
        out: Tensor = self.head(now)
        return out


def varied(rng: np.random.Generator, lesson: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """A lesson mirrored, its colours in another order, its picture a little brighter or darker."""
    picture, surface, color = lesson["picture"], lesson["surface"], lesson["color"]
    corners, palette = lesson["corners"].copy(), lesson["palette"]
    if rng.random() < 0.5:
        picture, surface, color = picture[:, ::-1], surface[:, ::-1], color[:, ::-1]
        mirrored = np.array([0, 1, 2, 3, 5, 4, 6])
        surface = mirrored[surface]
        corners[:, 0] = SIZE[0] - 1 - corners[:, 0]
        corners = corners[[1, 0, 3, 2]]
    order = rng.permutation(COLORS)
    place = np.argsort(order)
    color = np.where(color >= 0, place[np.maximum(color, 0)], -1)
    shown = palette[order]
    shown = np.clip(shown * np.exp(rng.normal(0, 0.08, (1, 3))), 0, 255)
    bent = picture * np.exp(rng.normal(0, 0.06, (1, 1, 3)))
    if rng.random() < 0.2:
        bent = np.asarray(cv2.GaussianBlur(bent, (0, 0), rng.uniform(0.4, 1.0)), np.float64)
    bent += rng.normal(0, rng.uniform(0, 4), bent.shape)
    picture = np.clip(bent, 0, 255).astype(np.uint8)
    letters = Palette("ABCD", tuple(map(tuple, shown.tolist())))
    return {
        "channels": channels_of(picture, letters),
        "surface": surface.astype(np.int64),
        "color": color.astype(np.int64),
        "corners": _bells(corners),
    }


def _bells(corners: np.ndarray) -> np.ndarray:
    width, height = SIZE[0] // STRIDE, SIZE[1] // STRIDE
    cells = (corners + 0.5) / STRIDE - 0.5
    across = np.exp(-0.5 * ((np.arange(width) - cells[:, :1]) / PEAK_CELLS) ** 2)
    down = np.exp(-0.5 * ((np.arange(height) - cells[:, 1:]) / PEAK_CELLS) ** 2)
    return (down[:, :, None] * across[:, None, :]).astype(np.float32)


def loss_of(out: Tensor, target: dict[str, Tensor]) -> dict[str, Tensor]:
    """The parts of the loss, to be summed."""
    kinds = len(SURFACES)
    bells = target["corners"]
    cross = nn.functional.binary_cross_entropy_with_logits(
        out[:, -CORNERS:], bells, reduction="none"
    )
    return {
        "surface": nn.functional.cross_entropy(out[:, :kinds], target["surface"]),
        "color": nn.functional.cross_entropy(
            out[:, kinds : kinds + COLORS], target["color"], ignore_index=-1
        ),
        "corners": (cross * (1 + RARE * bells)).mean() * 3,
    }


def batches(directory: Path, rng: np.random.Generator) -> "BatchSource":
    """Batches without end."""
    return BatchSource(directory, rng)


class BatchSource:
    """Gives batches of varied lessons, taking in shards as they appear."""

    def __init__(self, directory: Path, rng: np.random.Generator) -> None:
        self.directory, self.rng = directory, rng
        self.shards: dict[str, dict[str, np.ndarray]] = {}
        self.drawn = 0

    def next(self) -> dict[str, Tensor]:
        """One batch."""
        if self.drawn % 100 == 0:
            for file in sorted(self.directory.glob("[0-9]*.npz")):
                if file.name not in self.shards:
                    with np.load(file) as data:
                        self.shards[file.name] = dict(data)
        self.drawn += 1
        names = list(self.shards)
        chosen = []
        for _ in range(BATCH):
            shard = self.shards[names[self.rng.integers(len(names))]]
            index = int(self.rng.integers(len(shard["picture"])))
            lesson = {key: value[index] for key, value in shard.items()}
            chosen.append(varied(self.rng, lesson))
        return {key: torch.from_numpy(np.stack([one[key] for one in chosen])) for key in chosen[0]}


def export(network: Network, file: Path) -> None:
    """Write the network as ONNX."""
    file.parent.mkdir(parents=True, exist_ok=True)
    network.eval()
    picture = torch.zeros(1, INPUTS, SIZE[1], SIZE[0])
    part = file.with_suffix(".part")
    torch.onnx.export(
        network, (picture,), str(part), dynamo=False, opset_version=13,
        input_names=["picture"], output_names=["seen"],
    )  # fmt: skip
    part.rename(file)
    network.train()


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write the network; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m lab.cube.training.train", description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="keep the weights here, and start from them")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    network = Network()
    if options.weights and options.weights.exists():
        network.load_state_dict(torch.load(options.weights, weights_only=True))
    network.train().to(memory_format=torch.channels_last)
    learner = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-4)
    source = batches(options.directory, np.random.default_rng(options.seed))
    begun, step, shown = time.monotonic(), 0, dict[str, float]()
    saved = begun
    while (share := (time.monotonic() - begun) / 60 / options.minutes) < 1.0:
        rate = options.rate * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * share))
        for group in learner.param_groups:
            group["lr"] = max(rate, options.rate * 0.01)
        batch = source.next()
        parts = loss_of(network(batch["channels"]), batch)
        learner.zero_grad()
        torch.stack(list(parts.values())).sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        learner.step()
        step += 1
        for name, part in parts.items():
            shown[name] = 0.97 * shown.get(name, part.item()) + 0.03 * part.item()
        if step % 25 == 0:
            losses = "  ".join(f"{name} {value:.4f}" for name, value in shown.items())
            print(f"{step}  {time.monotonic() - begun:.0f} s  {losses}", flush=True)
        if time.monotonic() - saved > 240:
            saved = time.monotonic()
            export(network, options.out)
            if options.weights:
                torch.save(network.state_dict(), options.weights)
    export(network, options.out)
    if options.weights:
        torch.save(network.state_dict(), options.weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
