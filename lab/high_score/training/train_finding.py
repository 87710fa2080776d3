"""Trains the network that finds dice.

``python -m lab.high_score.training.train_finding MADE… --real DIR --empty FILE… --out FILE.onnx``.
MADE are folders of ``lab.high_score.make``. The network that is shipped was trained like this for
the time that ``lab/high_score/training/README.md`` tells. ``--weights`` goes on from the last run.
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

from lab.high_score.training.lessons import Lesson, empty, made, real, varied
from vision.high_score.finding import BELL, OUTPUTS, SIZE, STRIDE, shape_of

WIDTHS = (12, 24, 48, 64)
WINDOW = 192
BATCH = 12
RATE = 3e-3
RARE = 3.0
"""A cell with a peak counts this much more than an empty one."""


def _conv(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Finder(nn.Module):
    """Pictures (N, 3, rows, columns) in −1…1 → (N, ``OUTPUTS``, rows / 8, columns / 8)."""

    def __init__(self) -> None:
        super().__init__()
        first, second, third, fourth = WIDTHS
        self.stem = nn.Sequential(_conv(3, first, 2), _conv(first, second, 2))
        self.eighth = nn.Sequential(_conv(second, third, 2), _conv(third, third))
        self.sixteenth = nn.Sequential(
            _conv(third, fourth, 2), _conv(fourth, fourth), _conv(fourth, fourth)
        )
        self.across = nn.Conv2d(fourth, third, 1)
        self.up = _conv(third, third)
        self.head = nn.Conv2d(third, OUTPUTS, 1)
        assert self.head.bias is not None
        nn.init.constant_(self.head.bias[:1], -4.0)

    def forward(self, picture: Tensor) -> Tensor:
        """Logits of heat and leaning, and the regressions."""
        near = self.eighth(self.stem(picture))
        far = self.across(self.sixteenth(near))
        far = nn.functional.interpolate(far, scale_factor=2.0, mode="nearest")
        out: Tensor = self.head(self.up(near + far))
        return out


def target_of(lesson: Lesson) -> tuple[np.ndarray, np.ndarray]:
    """Targets (``OUTPUTS``, cells, cells), and weights: of the place, the shape, the leaning."""
    cells = WINDOW // STRIDE
    target = np.zeros((OUTPUTS, cells, cells), np.float32)
    weight = np.zeros((3, cells, cells), np.float32)
    rows, columns = np.mgrid[:cells, :cells].astype(np.float32)
    for uv, edges, cocked in zip(lesson.uv, lesson.edges, lesson.cocked, strict=True):
        u, v = (uv - (STRIDE - 1) / 2) / STRIDE
        known = bool(np.isfinite(edges).all())
        bell = np.exp(-0.5 * ((columns - u) ** 2 + (rows - v) ** 2) / BELL**2)
        target[0] = np.maximum(target[0], bell)
        here = bell > np.maximum(weight[0], 0.3)
        target[1, here], target[2, here] = u - columns[here], v - rows[here]
        weight[0, here] = bell[here]
        weight[1, here] = bell[here] if known else 0.0
        weight[2, here] = bell[here] if known else 0.2 * bell[here]
        if known:
            target[3:8, here] = shape_of(edges.astype(np.float64))[:, None]
        target[8, here] = cocked
    return target, weight


def loss_of(out: Tensor, target: Tensor, weight: Tensor) -> dict[str, Tensor]:
    """The parts of the loss, to be summed."""
    cross = nn.functional.binary_cross_entropy_with_logits(
        out[:, 0], target[:, 0], reduction="none"
    )
    # most cells are easily empty: only what is still wrong counts (quality focal loss)
    cross = cross * (out[:, 0].sigmoid() - target[:, 0]).detach().pow(2)
    peaks = target[:, 0].sum() + 4.0
    off = nn.functional.smooth_l1_loss(out[:, 1:8], target[:, 1:8], reduction="none", beta=0.1)
    lean = nn.functional.binary_cross_entropy_with_logits(out[:, 8], target[:, 8], reduction="none")
    return {
        "heat": 8 * (cross * (1 + RARE * target[:, 0])).sum() / peaks,
        "place": (off[:, :2].sum(1) * weight[:, 0]).sum() / (weight[:, 0].sum() + 1),
        "shape": (off[:, 2:].sum(1) * weight[:, 1]).sum() / (weight[:, 1].sum() + 1),
        "lean": (lean * weight[:, 2] * (1 + 3 * target[:, 8])).sum() / (weight[:, 2].sum() + 1),
    }


def train(groups: Sequence[tuple[float, list[Lesson]]], seconds: float, seed: int,
          network: Finder) -> Finder:  # fmt: skip
    """The network after so much time; each group of lessons has its share of every batch."""
    rng = np.random.default_rng(seed)
    learner = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-4)
    network.train()
    shares = np.array([share for share, _ in groups])
    begun, step = time.monotonic(), 0
    shown: dict[str, float] = {}
    while (passed := (time.monotonic() - begun) / seconds) < 1.0:
        step += 1
        for group in learner.param_groups:
            group["lr"] = RATE * min(1.0, step / 50) * (0.02 + 0.98 * (1 - passed) ** 1.0)
        chosen = rng.choice(len(groups), BATCH, p=shares / shares.sum())
        lessons = []
        for index in chosen:
            kind = groups[index][1]
            lessons.append(varied(rng, kind[rng.integers(len(kind))], WINDOW))
        pairs = [target_of(lesson) for lesson in lessons]
        pictures = torch.from_numpy(np.stack([lesson.picture for lesson in lessons]))
        seen = pictures.permute(0, 3, 1, 2).float() / 127.5 - 1.0
        target, weight = (torch.from_numpy(np.stack(part)) for part in zip(*pairs, strict=True))
        parts = loss_of(network(seen), target, weight)
        learner.zero_grad()
        torch.stack(list(parts.values())).sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        learner.step()
        for name, part in parts.items():
            shown[name] = 0.98 * shown.get(name, part.item()) + 0.02 * part.item()
        if step % 50 == 0:
            losses = "  ".join(f"{name} {value:.4f}" for name, value in shown.items())
            print(f"{step}  {passed:.0%}  {losses}", flush=True)
    return network.eval()


def export(network: Finder, file: Path) -> None:
    """Write the network as ONNX."""
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network.eval(), (torch.zeros(1, 3, 480, 640),), str(file), dynamo=False, opset_version=13,
        input_names=["picture"], output_names=["seen"],
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write the network; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.high_score.training.train_finding", description=__doc__
    )
    parser.add_argument("made", type=Path, nargs="+")
    parser.add_argument("--real", type=Path)
    parser.add_argument("--empty", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    groups = [(0.66, [lesson for place in options.made for lesson in made(place, SIZE)])]
    if options.real:
        groups.append((0.22, real(options.real, SIZE)))
    if options.empty:
        groups.append((0.12, empty(options.empty, SIZE)))
    print([len(lessons) for _, lessons in groups], flush=True)
    network = Finder()
    if options.weights.exists():
        network.load_state_dict(torch.load(options.weights, weights_only=True))
    network = train(groups, options.seconds, options.seed, network)
    torch.save(network.state_dict(), options.weights)
    export(network, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
