"""Trains the network that tells cards apart.

Run it with ``python -m lab.cards.training.train_describe --out vision/cards/data/describe.onnx``.
Each step is one deck: some of its cards enrolled in one light, the same cards asked in another,
turned as they may lie. Needs torch and onnx.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator

from lab.cards.designs import DeckDesign, random_deck
from lab.cards.shots import random_light, shot
from lab.cards.training.describe_network import DescribeNetwork
from vision.cards.describing import SIDE, without_light

CARDS = 20
"""Cards of a deck in one step."""
RATE = 2e-3


def lesson(rng: Generator, deck: DeckDesign, harsh: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Cards of a deck as enrolled (N, 3, …) and as asked (turns, N, 3, …)."""
    chosen = rng.permutation(len(deck.pictures))[:CARDS]
    bright, dim = (
        random_light(rng, 0.6 * harsh * rng.random()),
        random_light(rng, harsh * rng.random() ** 0.5),
    )
    far = float(np.exp(rng.uniform(np.log(38), np.log(170))))
    enrolled, asked = [], []
    for index in chosen:
        card = deck.pictures[index]
        near = float(rng.uniform(85, 180))
        enrolled.append(without_light(shot(rng, card, deck.rounding, bright, near, SIDE)))
        asked.append(
            without_light(shot(rng, card, deck.rounding, dim, far * rng.uniform(0.8, 1.2), SIDE))
        )
    other = int(rng.integers(1, 4)) if deck.aspect == 1.0 else 2
    there = np.stack(asked)
    return np.stack(enrolled), np.stack([there, np.rot90(there, other, axes=(2, 3)).copy()])


RealCards = dict[str, list[np.ndarray]]
"""Crops of real cards by their label."""
HELD_BACK = 4
"""Every fourth label is not learned from: ``lab.cards.bench`` measures by these."""


def load_real(folder: Path) -> RealCards:
    """The real crops that are learned from (``truth.jsonl`` with ``file`` and ``label``)."""
    found: RealCards = {}
    for line in (folder / "truth.jsonl").read_text().splitlines():
        entry = json.loads(line)
        picture = np.asarray(cv2.imread(str(folder / entry["file"])))
        found.setdefault(entry["label"], []).append(picture)
    return {label: found[label] for at, label in enumerate(sorted(found)) if at % HELD_BACK}


def real_lesson(rng: Generator, real: RealCards) -> tuple[np.ndarray, np.ndarray]:
    """As ``lesson``: one crop of a card enrolled, another asked."""
    labels = rng.permutation(sorted(real))[:CARDS]
    enrolled: list[np.ndarray] = []
    asked: list[np.ndarray] = []
    for label in labels:
        for index, kept in zip(rng.permutation(len(real[label])), (enrolled, asked), strict=False):
            light, width = random_light(rng, 0.3), float(rng.uniform(60, 170))
            kept.append(without_light(shot(rng, real[label][index], 0.0, light, width, SIDE)))
    there = np.stack(asked)
    return np.stack(enrolled), np.stack([there, np.rot90(there, 2, axes=(2, 3)).copy()])


def train(
    network: DescribeNetwork,
    decks: Sequence[DeckDesign],
    real: RealCards,
    options: argparse.Namespace,
) -> None:
    """Train for this many steps or seconds, whichever are over first."""
    steps, seed, until = options.steps, options.seed, options.seconds
    learner = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-3)
    rng, begun, shown, hits = np.random.default_rng(seed), time.monotonic(), 0.0, 0.0
    network.train()
    for step in range(steps):
        gone = max(step / steps, (time.monotonic() - begun) / until)
        if gone >= 1:
            break
        for group in learner.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / 100) * (1 - gone) + 1e-5
        if real and step % 4 == 0:
            enrolled, asked = real_lesson(rng, real)
        else:
            enrolled, asked = lesson(rng, decks[int(rng.integers(len(decks)))])
        count = len(enrolled)
        vectors = network(torch.from_numpy(np.concatenate([enrolled, *asked]).astype(np.float32)))
        loss, right = network.loss(vectors[count:].reshape(2, count, -1), vectors[:count])
        learner.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        learner.step()
        weight = 0.02 if step > 50 else 0.2
        shown += weight * (loss.item() - shown)
        hits += weight * (right.item() / count - hits)
        if step % 50 == 0:
            print(
                f"{step}/{steps}  {time.monotonic() - begun:.0f} s  {shown:.3f}  {hits:.1%}",
                flush=True,
            )


def export(network: DescribeNetwork, file: Path) -> None:
    """Write the network as ONNX."""
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network.eval(), (torch.zeros(4, 3, SIDE, SIDE),), str(file), dynamo=False,
        opset_version=13, input_names=["cards"], output_names=["vectors"],
        dynamic_axes={"cards": {0: "n"}, "vectors": {0: "n"}},
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write the network; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--decks", type=int, default=300)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--real", type=Path, help="a folder of real crops with truth.jsonl")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="keep the weights here, and start from them")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    decks = [random_deck(rng, 24) for _ in range(options.decks)]
    decks = [deck for deck in decks if len(deck.pictures) >= 8]
    network = DescribeNetwork()
    if options.weights and options.weights.exists():
        network.load_state_dict(torch.load(options.weights, weights_only=True))
    train(network, decks, load_real(options.real) if options.real else {}, options)
    if options.weights:
        torch.save(network.state_dict(), options.weights)
    export(network, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
