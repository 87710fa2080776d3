"""Trains the models that say what lies on a seat.

Run it with ``python -m lab.dimension.training.train_observe DIR…``.

Each DIR holds pictures with their truth.jsonl: those of ``lab.dimension.make``, or the project's
photos, of which the held-back ones are left out. A DIR that is named several times counts as often.
Every picture is looked at several times through views that are a little wrong, as a located view
is, and under changed light. Each place is a row: spheres where they lie, empty seats, and spots
along the slots beside a sphere, which must count as empty so that spheres in storage can be found
by trying.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from calibration.camera import FloatArray, Pose, View
from calibration.dimension.geometry import seat_array
from calibration.dimension.profile import TrayProfile
from lab.dimension.bench.locating import held_back
from lab.dimension.bench.readings import Pictured, pictures
from lab.dimension.truth import profile_of, view_of
from lab.processes import side_by_side
from rules.dimension.places import SLOT_PLACES, SLOTS
from vision.classifier import Classifier
from vision.dimension.observing.features import BODY, KINDS, Rows, context, features
from vision.dimension.observing.observe import SCANT, beside_rows, tonight
from vision.dimension.observing.outline_samples import Picture, PlaceSamples, Plate, look
from vision.dimension.observing.seat_evidence import STATES
from vision.dimension.observing.slots import along_slot

LOOKS = 4  # times that each picture is looked at
SHIFT = 0.015  # of a sphere's diameter: how far a view is off, sideways
TURN = 0.004  # radians by which it is off
FORGET = 0.15  # of the references, so that a colour can be told though no other is there
GAIN = 0.12  # logarithmic spread of the light's colour
EXPOSURE = 0.25
CONTRAST = 0.12  # logarithmic spread of the exponent of tones
SATURATION = 0.15  # likewise
BESIDE = 0.3  # of a diameter: farther from a sphere's place than this, there is none
HELD_BACK = 8  # every so many pictures set the temperature instead of training
HIDDEN_SIZES = {"single": (96, 48), "beside": (48, 24)}
DECAY = 0.15
"""Weight decay. Of 0.05, 0.15 and 0.5, the least loss on held-back pictures."""
MEMBERS = 4
"""Networks that a model is the mean of: they differ by chance only, and err differently."""

Truth = dict[str, Any]


@dataclass(frozen=True)
class TrainingRows:
    """Rows of the training table that come from one look at one picture."""

    rows: Rows
    labels: NDArray[np.int64]
    kinds: NDArray[np.int64]
    visible: FloatArray
    picture: int
    """A number of the picture, the same for all looks at it."""

    def only(self, chosen: NDArray[np.bool_]) -> "TrainingRows":
        """Some of the rows."""
        picked = {
            name: getattr(self, name)[chosen] for name in ("rows", "labels", "kinds", "visible")
        }
        return replace(self, **picked)

    @property
    def told(self) -> NDArray[np.bool_]:
        """The rows of which enough can be seen to tell anything."""
        return np.asarray(self.visible >= SCANT)


@dataclass(frozen=True)
class OtherCamera:
    """How another camera would have shown the same: other light, contrast and saturation."""

    gain: FloatArray
    contrast: float
    saturation: float

    @classmethod
    def any(cls, chance: np.random.Generator) -> "OtherCamera":
        """Some camera."""
        gain = np.exp(chance.normal(0, GAIN, 3) + chance.normal(0, EXPOSURE))
        contrast, saturation = np.exp(chance.normal(0, (CONTRAST, SATURATION)))
        return cls(gain, float(contrast), float(saturation))

    def develop(self, looks: PlaceSamples) -> PlaceSamples:
        """What is seen, as this camera shows it."""
        gain = np.cbrt(self.gain).mean()
        highs, lows = (
            np.minimum(values * gain, 1.0) ** self.contrast for values in (looks.highs, looks.lows)
        )
        return replace(
            looks,
            tones=self._toned(looks.tones),
            grains=replace(looks.grains, tones=self._toned(looks.grains.tones)),
            highs=highs.astype(np.float32),
            lows=lows.astype(np.float32),
        )

    def _toned(self, tones: Rows) -> Rows:
        toned = np.minimum(tones * np.cbrt(self.gain), 1.0) ** self.contrast
        grey = toned.mean(axis=-1, keepdims=True)
        toned = np.clip(grey + (toned - grey) * self.saturation, 0.0, 1.0)
        return np.asarray(toned, np.float32)


def main() -> None:
    """Train both models and write them where the package looks for them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--out", type=Path, default=Path("vision/dimension/data/observe.npz"))
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    chosen = [pictured for folder in args.pictures for pictured in pictures(folder)]
    tasks = list(enumerate(filter(_teaches, chosen)))
    with side_by_side(args.jobs) as pool:
        looked = [look_ for found in pool.map(_looks_at, tasks, chunksize=16) for look_ in found]
    print(f"{len(tasks)} pictures, {sum(len(places.rows) for places in looked)} places")
    single = _trained("single", looked, [places.rows for places in looked])
    beside = _trained("beside", *_beside(looked))
    arrays: dict[str, Any] = {**single.arrays("single"), **beside.arrays("beside")}
    np.savez_compressed(args.out, **arrays)
    print(f"{args.out}: {args.out.stat().st_size / 1024:.0f} KB")


def _teaches(pictured: Pictured) -> bool:
    """Whether a picture may be learned from: it shows a tray, and is not kept to be tested with."""
    from_lab = "pose" in pictured.truth
    return pictured.truth["kind"] != "negative" and (from_lab or not held_back(pictured.file))


def _looks_at(task: tuple[int, Pictured]) -> list[TrainingRows]:
    index, pictured = task
    view = view_of(pictured.truth)
    if view is None:
        return []
    picture = np.asarray(cv2.imread(str(pictured.file)), np.uint8)
    chance = np.random.default_rng(index)
    number = crc32(pictured.file.name.encode())
    return [_places(pictured.truth, view, picture, chance, number) for _ in range(LOOKS)]


def _places(
    truth: Truth, view: View, picture: Picture, chance: np.random.Generator, number: int
) -> TrainingRows:
    profile = profile_of(truth)
    radius = profile.sphere_mm / 2
    spots = list(_spots(truth, view, profile, chance))
    centres = np.array([centre for centre, _, _ in spots])
    labels = np.array([STATES.index(letter) for _, letter, _ in spots])
    kinds = "".join(kind for _, _, kind in spots)
    off = _a_little_wrong(view, profile, chance)
    film, plate = OtherCamera.any(chance), Plate.of(picture, off, radius)
    looks = film.develop(look(plate, off, centres, radius))
    around = context(film.develop(look(plate, off, seat_array(profile), radius)))
    occupied = sum(1 << i for i, label in enumerate(labels) if label)
    seen = looks.seen(range(len(spots)), [occupied] * len(spots))
    rows = features(looks, range(len(spots)), kinds, seen, around)
    numbers = np.array([KINDS.index(kind) for kind in kinds])
    return TrainingRows(rows, labels, numbers, seen.visible, number)


def _a_little_wrong(view: View, profile: TrayProfile, chance: np.random.Generator) -> View:
    amount = chance.choice([0.3, 1.0, 2.0])
    shift = chance.normal(0, SHIFT * amount * profile.sphere_mm, 3) * (1, 1, 3)
    turn = chance.normal(0, TURN * amount, 3)
    pose = Pose.of(np.array(view.pose.rvec) + turn, np.array(view.pose.tvec) + shift)
    return replace(view, pose=pose)


def _spots(
    truth: Truth, view: View, profile: TrayProfile, chance: np.random.Generator
) -> Iterator[tuple[FloatArray, str, str]]:
    """Places to learn from: centre, what lies there, kind of seat."""
    layout = truth["layout"].replace("/", "")
    for centre, letter, kind in zip(seat_array(profile), layout, "CRRRRRRTTTTTTA", strict=False):
        yield centre, letter, kind
    for slot in range(SLOTS):
        spheres = list(_stored(truth, view, profile, slot))
        for centre, letter in spheres:
            yield centre, letter, "S"
        for at in np.linspace(-1.2, 1.2, 7) + chance.uniform(-0.2, 0.2):
            spot = along_slot(profile, slot, at)
            gaps = [np.linalg.norm(spot - centre) for centre, _ in spheres]
            if min(gaps, default=np.inf) > BESIDE * profile.sphere_mm:
                yield spot, STATES[0], "S"


def _stored(
    truth: Truth, view: View, profile: TrayProfile, slot: int
) -> Iterator[tuple[FloatArray, str]]:
    """The spheres of a slot, where along it the truth's image centres put them."""
    steps = np.linspace(-2.0, 2.0, 401)
    line = np.array([along_slot(profile, slot, at) for at in steps])
    pixels = view.project(line)
    for place in range(SLOT_PLACES):
        name = f"S{slot}{place}"
        if name in truth["slots"]:
            sphere = truth["spheres"][name]
            middle = np.array([sphere["u"] - 0.5, sphere["v"] - 0.5])  # truth counts from corners
            yield line[np.linalg.norm(pixels - middle, axis=1).argmin()], truth["slots"][name]


def _beside(looked: Sequence[TrainingRows]) -> tuple[list[TrainingRows], list[Rows]]:
    """The second model's spheres, its first verdicts from models that never saw the picture."""
    halves = [[p for p in looked if p.picture % 2 == half] for half in (0, 1)]
    judges = [_fitted("single", half, [p.rows for p in half]) for half in halves]
    chance = np.random.default_rng(0)
    spheres, rows = [], []
    for places in looked:
        single = judges[1 - places.picture % 2].log_probabilities(places.rows)
        weights = np.exp(single[:, 1:].astype(float)) * places.visible[:, None]
        # Spots beside a sphere exist only in training; a tray has seats.
        weights[(places.kinds == KINDS.index("S")) & (places.labels == 0)] = 0.0
        colors = tonight(weights, places.rows[:, BODY].astype(float))
        known = colors.beside()
        kept = known * (chance.random((*known.shape[:2], 1)) >= FORGET)
        there = places.labels > 0
        if there.any():
            colored = places.only(there)
            spheres.append(replace(colored, labels=colored.labels - 1))
            rows.append(beside_rows(places.rows, single, kept)[there])
    return spheres, rows


def _trained(name: str, looked: Sequence[TrainingRows], rows: Sequence[Rows]) -> Classifier:
    """A model trained on most pictures, its temperature set on the others, with its figures."""
    learn = [i for i, places in enumerate(looked) if places.picture % HELD_BACK]
    check = [i for i, places in enumerate(looked) if places.picture % HELD_BACK == 0]
    model = _fitted(name, [looked[i] for i in learn], [rows[i] for i in learn], MEMBERS)
    inputs, labels, _ = _table([looked[i] for i in check], [rows[i] for i in check])
    heats = np.linspace(0.5, 3.0, 51)
    losses = [_loss(replace(model, temperature=float(heat)), inputs, labels) for heat in heats]
    best = replace(model, temperature=float(heats[int(np.argmin(losses))]))
    right = np.mean(best.log_probabilities(inputs).argmax(axis=1) == labels)
    print(
        f"{name}: held back {len(labels)} places, right {right:.4f}, "
        f"loss {min(losses):.4f} at temperature {best.temperature:.2f}"
    )
    return best


def _loss(model: Classifier, inputs: Rows, labels: NDArray[np.int64]) -> float:
    return float(-model.log_probabilities(inputs)[np.arange(len(labels)), labels].mean())


def _table(
    looked: Sequence[TrainingRows], rows: Sequence[Rows]
) -> tuple[Rows, NDArray[np.int64], NDArray[np.int64]]:
    inputs = np.concatenate([r[p.told] for p, r in zip(looked, rows, strict=True)])
    labels = np.concatenate([p.labels[p.told] for p in looked])
    return inputs, labels, np.concatenate([p.kinds[p.told] for p in looked])


def _fitted(
    name: str, looked: Sequence[TrainingRows], rows: Sequence[Rows], members: int = 1
) -> Classifier:
    inputs, labels, kinds = _table(looked, rows)
    scaler = StandardScaler().fit(inputs)
    scaled = scaler.transform(inputs)
    networks = [
        MLPClassifier(
            HIDDEN_SIZES[name],
            alpha=DECAY,
            batch_size=512,
            early_stopping=True,
            n_iter_no_change=5,
            max_iter=40,
            random_state=member,
        ).fit(scaled, labels)
        for member in range(members)
    ]
    counts = np.ones((len(KINDS), labels.max() + 1))  # one of each: nothing is impossible
    np.add.at(counts, (kinds, labels), 1)
    weights, biases = _side_by_side(networks)
    return Classifier(
        mean=scaler.mean_.astype(np.float32),
        scale=scaler.scale_.astype(np.float32),
        weights=weights,
        biases=biases,
        priors=np.log(counts / counts.sum(axis=1, keepdims=True)).astype(np.float32),
    )


def _side_by_side(networks: Sequence[Any]) -> tuple[tuple[Rows, ...], tuple[Rows, ...]]:
    """Layers of one network whose outputs, before the softmax, are the mean of these networks'."""
    coefs = list(zip(*(network.coefs_ for network in networks), strict=True))
    intercepts = list(zip(*(network.intercepts_ for network in networks), strict=True))
    weights = [np.hstack(coefs[0]), *(block_diag(*layer) for layer in coefs[1:-1])]
    weights.append(np.vstack(coefs[-1]) / len(networks))
    biases = [
        *(np.concatenate(layer) for layer in intercepts[:-1]),
        np.mean(intercepts[-1], axis=0),
    ]
    return (
        tuple(weight.astype(np.float32) for weight in weights),
        tuple(bias.astype(np.float32) for bias in biases),
    )


if __name__ == "__main__":
    main()
