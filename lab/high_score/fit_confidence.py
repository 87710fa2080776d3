"""Fits what the reader's probabilities mean: ``python -m lab.high_score.fit_confidence MADE``.

MADE is a folder of ``lab.high_score.make`` with sets of dice that taught the networks nothing. It
prints the numbers that stand in ``vision.high_score.report`` (``PRESENCE``) and in
``vision.high_score.values`` (``COOLING``, ``SHARPNESS``).
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.high_score.profile import DiceProfile
from lab.high_score.training.lessons import Lesson, made
from rules.high_score.dice import FACES
from vision.high_score.faces import KINDS, Seen, cut_out, look_at
from vision.high_score.finding import Array, Found, find_dice
from vision.high_score.report import presence_terms
from vision.high_score.values import Enrolled, by_kind

COOLINGS = np.exp(np.linspace(-1.2, 0.6, 19))
SHARPNESSES = np.exp(np.linspace(np.log(3), np.log(30), 19))


def logistic(terms: Array, right: Array) -> Array:
    """Weights by which the terms (N, k) tell how likely each row is right."""
    weights = np.zeros(terms.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(terms @ weights, -30, 30)))
        slope = terms.T @ (right - p) - 1e-3 * weights
        curve = (terms * (p * (1 - p))[:, None]).T @ terms + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


def matched(lesson: Lesson, found: Sequence[Found]) -> list[int]:
    """For each die found the number of the true one; −1 if there is none."""
    numbers = []
    for die in found:
        away = np.hypot(*(lesson.uv - die.uv).T) if len(lesson.uv) else np.array([np.inf])
        nearest = int(away.argmin())
        numbers.append(nearest if away[nearest] < 0.4 * die.side else -1)
    return numbers


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the fitted numbers; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m lab.high_score.fit_confidence")
    parser.add_argument("made", type=Path)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    terms, there, kinds, values = [], [], [], []
    cuts: dict[int, dict[int, list[Seen]]] = {}
    pictures: dict[int, dict[int, np.ndarray]] = {}
    for lesson in made(options.made):
        found = find_dice(lesson.picture)
        faces = [cut_out(lesson.picture, die) for die in found]
        seen = look_at(faces)
        for row, (die, number) in enumerate(zip(found, matched(lesson, found), strict=True)):
            one = Seen(seen.kinds[row : row + 1], seen.points[row : row + 1])
            none = float(np.exp(one.kinds[0, KINDS.index("none")]))
            terms.append(presence_terms(die.strength, none))
            there.append(float(number >= 0))
            if number < 0 or lesson.cocked[number]:
                continue
            owner, face = lesson.faces[number]
            pictures.setdefault(owner, {}).setdefault(face, faces[row])
            cuts.setdefault(owner, {}).setdefault(face, []).append(one)
            kind = lesson.kinds[number]
            if kind != "other":
                kinds.append(one.kinds[0])
                values.append(5 if kind in ("6", "vortex") else int(kind) - 1)
    print("PRESENCE", np.round(logistic(np.array(terms), np.array(there)), 2), len(there))
    asked = Seen(np.array(kinds), np.zeros((len(kinds), 1)))
    rows = np.arange(len(values))
    losses = [-np.log(by_kind(asked, c).values[rows, values] + 1e-9).mean() for c in COOLINGS]
    wrong = (by_kind(asked).values.argmax(axis=1) != values).mean()
    print(f"COOLING {COOLINGS[int(np.argmin(losses))]:.2f}, loss {min(losses):.3f}, "
          f"{wrong:.1%} of {len(values)} wrong")  # fmt: skip
    _enrolled(pictures, cuts)
    return 0


def _enrolled(
    pictures: dict[int, dict[int, np.ndarray]], cuts: dict[int, dict[int, list[Seen]]]
) -> None:
    """Print how sharply enrolled faces are best compared: each face's first picture is known."""
    losses, wrong, count = np.zeros(len(SHARPNESSES)), 0, 0
    for owner, known in pictures.items():
        if len(known) < len(FACES):
            continue
        profile = DiceProfile("x", {value: (known[at],) for at, value in enumerate(FACES)})
        enrolled = Enrolled(profile)
        for face, seen in cuts[owner].items():
            for one in seen[1:]:
                tried = [float(enrolled.values(one, s).values[0, face]) for s in SHARPNESSES]
                losses -= np.log(np.array(tried) + 1e-9)
                wrong += int(enrolled.values(one).values[0].argmax() != face)
                count += 1
    best = int(losses.argmin())
    print(f"SHARPNESS {SHARPNESSES[best]:.1f}, loss {losses[best] / max(1, count):.3f}, "
          f"{wrong / max(1, count):.1%} of {count} wrong")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
