"""Trains the network that finds trays.

Run it with ``python -m lab.dimension.training.train_locate PICTURES… --out FILE.onnx``.

PICTURES are directories that ``python -m lab.dimension.make`` filled. Needs torch and onnx, which
nothing else in the project does. One idle core passes fifty pictures a second: the twelve thousand
steps of eight take half an hour. The network that is shipped saw as many (90,000 variations of
1,240 pictures), in eight runs that each went on from the last: ``--weights`` keeps them.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

import cv2
import numpy as np
import torch

from lab.dimension.training.locate_network import Network, Shipped, Target, loss_of, target_of
from lab.dimension.training.locate_pictures import Lesson, load_lessons, varied
from vision.dimension.locating.detector import SIZE

BATCH = 8
RATE = 3e-3


def train(lessons: Sequence[Lesson], steps: int, seed: int, network: Network) -> Network:
    """The network after this many steps, the last ones ever smaller."""
    learner = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(learner, RATE, steps, pct_start=0.1)
    network.train().to(memory_format=torch.channels_last)
    begun = time.monotonic()
    shown: dict[str, float] = {}
    for step, (pictures, target) in zip(range(1, steps + 1), batches(lessons, seed), strict=False):
        parts = loss_of(network(pictures), target)
        learner.zero_grad()
        torch.stack(list(parts.values())).sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        learner.step()
        schedule.step()
        for name, part in parts.items():
            shown[name] = 0.98 * shown.get(name, part.item()) + 0.02 * part.item()
        if step % 25 == 0:
            losses = "  ".join(f"{name} {value:.4f}" for name, value in shown.items())
            print(f"{step}/{steps}  {time.monotonic() - begun:.0f} s  {losses}", flush=True)
    return network.eval()


def batches(
    lessons: Sequence[Lesson], seed: int
) -> Iterator[tuple[torch.Tensor, dict[str, torch.Tensor]]]:
    """Varied pictures and their targets without end, every lesson once a round."""
    rng = np.random.default_rng(seed)
    queue: list[int] = []
    while True:
        while len(queue) < BATCH:
            queue += rng.permutation(len(lessons)).tolist()
        chosen, queue = queue[:BATCH], queue[BATCH:]
        pairs = [varied(rng, lessons[index]) for index in chosen]
        targets = [target_of(labels) for _, labels in pairs]
        pictures = np.stack([picture for picture, _ in pairs])
        yield (
            as_input(pictures),
            {
                field.name: torch.from_numpy(
                    np.stack([getattr(target, field.name) for target in targets]).astype(np.float32)
                )
                for field in fields(Target)
            },
        )


def as_input(pictures: np.ndarray) -> torch.Tensor:
    """BGR pictures (N, rows, columns, 3) as the network takes them."""
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 127.5 - 1.0  # channels last


def export(network: Network, file: Path) -> None:
    """Write the network as ONNX."""
    file.parent.mkdir(parents=True, exist_ok=True)
    picture = torch.zeros(1, 3, SIZE[1], SIZE[0])
    torch.onnx.export(
        Shipped(network).eval(), (picture,), str(file), dynamo=False, opset_version=13,
        input_names=["picture"], output_names=["seen"],
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write the network; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.dimension.training.train_locate", description=__doc__
    )
    parser.add_argument(
        "pictures", type=Path, nargs="+", help="directories that lab.dimension.make filled"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="keep the weights here, and start from them")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    lessons = [lesson for place in options.pictures for lesson in load_lessons(place)]
    print(f"{len(lessons)} pictures", flush=True)
    network = Network()
    if options.weights and options.weights.exists():
        network.load_state_dict(torch.load(options.weights, weights_only=True))
    network = train(lessons, options.steps, options.seed, network)
    if options.weights:
        torch.save(network.state_dict(), options.weights)
    export(network, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
