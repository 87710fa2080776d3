"""Trains the network that reads top faces.

``python -m lab.high_score.training.train_faces MADE… --real DIR --empty FILE… --out FILE.onnx``.
It learns two things from the same layers: the kinds of faces that need no set-up, and a description
of any face. The description is taught as it is used: of a set of dice, one picture of each face is
known, and another is to be told by which of them it is closest to.

Real photos do not tell the edges of faces; the network that finds dice, which must be trained
before, tells them.
"""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from calibration.high_score.profile import FACE_SIZE
from lab.high_score.faces import Rng
from lab.high_score.training.lessons import Lesson, Picture, empty, made, real, relit
from vision.high_score.faces import KINDS, POINT, cut_out, normalized
from vision.high_score.finding import Found, find_dice

WIDTHS = (16, 32, 48, 64)
RATE = 2e-3
SETS, QUERIES = 4, 8
"""Sets of dice in a step, and faces of each that are to be told."""
OTHERS = 40
"""Faces in a step besides, as many of each kind."""
CUTS = 2
"""Ways in which each face is cut out, once."""
KNOWN = 1.8
"""Faces are kept this much larger than they are cut out, so that lessons can vary the cut."""


class FaceReader(nn.Module):
    """Faces (N, 3, side, side) → (N, kinds + description)."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = 3
        for index, width in enumerate(WIDTHS):
            stride = 1 if index == 0 else 2
            layers += [nn.Conv2d(before, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width)]
            layers += [nn.ReLU(inplace=True)]
            before = width
        self.layers = nn.Sequential(*layers)
        side = FACE_SIZE // 8
        self.hidden = nn.Sequential(nn.Flatten(), nn.Dropout(0.1),
                                    nn.Linear(before * side * side, 96), nn.ReLU())  # fmt: skip
        self.kinds = nn.Linear(96, len(KINDS))
        self.point = nn.Linear(96, POINT)
        self.sharpness = nn.Parameter(torch.tensor(2.0))

    def forward(self, faces: Tensor) -> Tensor:
        """Logits of the kinds, then the description at length 1."""
        hidden = self.hidden(self.layers(faces))
        point = self.point(hidden)
        point = point / (point.pow(2).sum(dim=1, keepdim=True) + 1e-6).sqrt()
        return torch.cat([self.kinds(hidden), point], dim=1)


class Examples:
    """Faces by kind and by set, cut out with a wide margin."""

    def __init__(self) -> None:
        self.faces: list[Picture] = []
        self.kinds: list[int] = []
        self.by_kind: dict[str, list[int]] = defaultdict(list)
        self.by_set: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))

    def add(self, lesson: Lesson, die: Found, kind: str, face: tuple[int, int] = (-1, -1),
            times: int = 1) -> None:  # fmt: skip
        """Keep a face; ``times``: how often it is to be seen among its kind."""
        wide = Found(die.uv, die.edges * KNOWN, 1.0, 0.0)
        self.faces.append(_wide(lesson.picture, wide))
        self.kinds.append(KINDS.index(kind))
        self.by_kind[kind] += [len(self.faces) - 1] * times
        if face[0] >= 0:
            self.by_set[face[0]][face[1]].append(len(self.faces) - 1)

    def cut_all(self, rng: Rng) -> None:
        """Cut every face out in several ways, once: cutting takes longer than learning."""
        cuts = [self._cut(rng, index) for _ in range(CUTS) for index in range(len(self.faces))]
        self._cuts = np.stack(cuts).reshape(CUTS, len(self.faces), FACE_SIZE, FACE_SIZE, 3)

    def cut(self, rng: Rng, index: int) -> Picture:
        """A face in one of its cuts, one of its four ways up."""
        cut = np.rot90(self._cuts[rng.integers(CUTS), index], int(rng.integers(4)))
        return cut if rng.random() < 0.75 else cut[..., rng.permutation(3)]

    def _cut(self, rng: Rng, index: int) -> Picture:
        """A face as the reader may cut it out, turned at random."""
        wide = self.faces[index]
        side = len(wide) / KNOWN / 2 * 0.8
        angle = rng.normal(0, 0.07) + np.pi / 2 * rng.integers(4)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        skew = np.eye(2) + rng.normal(0, 0.045, (2, 2))
        edges = side * np.exp(rng.normal(0, 0.05)) * turn @ skew
        uv = np.array([len(wide) / 2 - 0.5] * 2) + rng.normal(0, 0.07, 2) * side
        return relit(rng, cut_out(wide, Found(uv, edges, 1.0, 0.0)))


def _wide(picture: Picture, die: Found) -> Picture:
    """The cut-out at twice the resolution."""
    size = FACE_SIZE * 2
    to_picture = np.column_stack([die.edges / (0.8 * size / 2), die.uv])
    to_picture[:, 2] -= to_picture[:, :2] @ np.array([size / 2 - 0.5] * 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    found = cv2.warpAffine(picture, to_picture, (size, size), flags=flags,
                           borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return np.asarray(found, np.uint8)


def collect(made_ones: list[Lesson], real_ones: list[Lesson], empties: list[Lesson],
            rng: Rng) -> Examples:  # fmt: skip
    """The faces of all lessons, and places that are none."""
    examples = Examples()
    for lesson in made_ones:
        for index, (uv, edges) in enumerate(zip(lesson.uv, lesson.edges, strict=True)):
            die = Found(uv.astype(np.float64), edges.astype(np.float64), 1.0, 0.0)
            if not lesson.cocked[index]:
                examples.add(lesson, die, lesson.kinds[index], lesson.faces[index])
        if rng.random() < 0.5:
            _add_none(examples, lesson, rng)
        if rng.random() < 0.25:
            _add_false(examples, lesson)
    for lesson in real_ones:
        _add_real(examples, lesson)
    for lesson in empties:
        for _ in range(6):
            _add_none(examples, lesson, rng)
        _add_false(examples, lesson)
    return examples


def _add_real(examples: Examples, lesson: Lesson) -> None:
    """The dice that are found in a real photo, where its truth has one."""
    for die in find_dice(lesson.picture):
        away = np.hypot(*(lesson.uv - die.uv).T)
        nearest = int(away.argmin())
        if away[nearest] < 0.4 * lesson.sides[nearest]:
            examples.add(lesson, die, lesson.kinds[nearest], times=3)


def _add_none(examples: Examples, lesson: Lesson, rng: Rng) -> None:
    """A place where there is no top face: anywhere, or the side of a die."""
    height, width = lesson.picture.shape[:2]
    uv, side = rng.uniform(0, 1, 2) * (width, height), np.exp(rng.uniform(2.4, 3.6))
    if len(lesson.uv) and rng.random() < 0.5 and np.isfinite(lesson.edges).all():
        index = rng.integers(len(lesson.uv))
        way = rng.uniform(0, 2 * np.pi)
        side = np.sqrt(abs(np.linalg.det(lesson.edges[index])))
        uv = lesson.uv[index] + rng.uniform(1.2, 2.2) * side * np.array([np.cos(way), np.sin(way)])
    if len(lesson.uv) and np.hypot(*(lesson.uv - uv).T).min() < 0.9 * side:
        return
    angle = rng.uniform(0, np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    examples.add(lesson, Found(uv, side * turn, 0.0, 0.0), "none")


def _add_false(examples: Examples, lesson: Lesson) -> None:
    """What the finding network takes for dice though nothing is there."""
    for die in find_dice(lesson.picture)[: len(lesson.uv) + 4]:
        if not len(lesson.uv) or np.hypot(*(lesson.uv - die.uv).T).min() > 0.6 * die.side:
            examples.add(lesson, die, "none", times=4)


def train(examples: Examples, seconds: float, seed: int, network: FaceReader) -> FaceReader:
    """The network after so much time."""
    rng = np.random.default_rng(seed)
    learner = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-3)
    network.train()
    sets = [number for number, faces in examples.by_set.items() if len(faces) >= 4]
    begun, step, shown = time.monotonic(), 0, [0.0] * 4
    while (passed := (time.monotonic() - begun) / seconds) < 1.0:
        step += 1
        for group in learner.param_groups:
            group["lr"] = RATE * min(1.0, step / 50) * (0.02 + 0.98 * (1 - passed))
        chosen: list[int] = []
        episodes = [_episode(rng, examples, sets) for _ in range(SETS)]
        for known, asked, _ in episodes:
            chosen += known + asked
        extra = [_of_kind(rng, examples) for _ in range(OTHERS)]
        chosen += extra
        pictures = np.stack([examples.cut(rng, index) for index in chosen])
        out = network(torch.from_numpy(normalized(pictures)))
        kinds = torch.tensor([examples.kinds[index] for index in chosen])
        kind_loss = nn.functional.cross_entropy(out[:, : len(KINDS)], kinds, label_smoothing=0.01)
        told, at, right = [], 0, 0.0
        for known, asked, answers in episodes:
            points = out[at : at + len(known) + len(asked), len(KINDS) :]
            at += len(known) + len(asked)
            near = points[len(known) :] @ points[: len(known)].T * network.sharpness.exp()
            told.append(nn.functional.cross_entropy(near, torch.tensor(answers)))
            right += float((near.argmax(1) == torch.tensor(answers)).float().mean()) / SETS
        set_loss = torch.stack(told).mean()
        learner.zero_grad()
        (kind_loss + set_loss).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        learner.step()
        kind_right = float((out[:, : len(KINDS)].argmax(1) == kinds).float().mean())
        now = [kind_loss.item(), kind_right, set_loss.item(), right]
        keep = 0.98 if step > 50 else 0.8
        shown = [keep * old + (1 - keep) * new for old, new in zip(shown, now, strict=True)]
        if step % 50 == 0:
            print(f"{step} {passed:.0%} kinds {shown[0]:.4f} {shown[1]:.2%} "
                  f"sets {shown[2]:.4f} {shown[3]:.2%}", flush=True)  # fmt: skip
    print(f"sharpness {float(network.sharpness.exp()):.2f}", flush=True)
    return network.eval()


def _episode(
    rng: Rng, examples: Examples, sets: list[int]
) -> tuple[list[int], list[int], list[int]]:
    """Of a set: one picture of each face, others to be told, and the answers."""
    faces = examples.by_set[sets[rng.integers(len(sets))]]
    numbers = sorted(faces)
    known = [int(rng.choice(faces[number])) for number in numbers]
    asked, answers = [], []
    for _ in range(QUERIES):
        answer = int(rng.integers(len(numbers)))
        asked.append(int(rng.choice(faces[numbers[answer]])))
        answers.append(answer)
    return known, asked, answers


def _of_kind(rng: Rng, examples: Examples) -> int:
    kinds = [kind for kind in KINDS if examples.by_kind[kind]]
    return int(rng.choice(examples.by_kind[kinds[rng.integers(len(kinds))]]))


def export(network: FaceReader, file: Path) -> None:
    """Write the network as ONNX, for any number of faces."""
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network.eval(), (torch.zeros(4, 3, FACE_SIZE, FACE_SIZE),), str(file), dynamo=False,
        opset_version=13, input_names=["faces"], output_names=["seen"],
        dynamic_axes={"faces": {0: "n"}, "seen": {0: "n"}},
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write the network; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.high_score.training.train_faces", description=__doc__
    )
    parser.add_argument("made", type=Path, nargs="+")
    parser.add_argument("--real", type=Path)
    parser.add_argument("--empty", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    made_ones = [lesson for place in options.made for lesson in made(place)]
    real_ones = real(options.real) if options.real else []
    rng = np.random.default_rng(options.seed)
    examples = collect(made_ones, real_ones, empty(options.empty), rng)
    examples.cut_all(rng)
    print({kind: len(found) for kind, found in examples.by_kind.items()}, flush=True)
    network = FaceReader()
    if options.weights.exists():
        network.load_state_dict(torch.load(options.weights, weights_only=True))
    network = train(examples, options.seconds, options.seed, network)
    torch.save(network.state_dict(), options.weights)
    export(network, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
