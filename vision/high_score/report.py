"""From what was seen of each die to a reading: status, confidence, alternatives and advice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from rules.high_score.dice import DICE, FACES
from vision.high_score.finding import Array
from vision.high_score.reading import DiceReading, SeenDie

CERTAIN = 0.97
"""Confidence from which a reading is certain; ``lab.high_score.bench`` shows what it costs."""
LEANS = 0.5
THERE = 0.5
"""Probability from which something counts as a die, or as leaning."""
DOUBTED = 0.1
"""A place that may hold a die with at least this probability spoils certainty."""
PRESENCE = np.array([2.38, -0.41, -1.81])
"""What the terms of ``presence_terms`` weigh; fitted by ``lab.high_score.fit_confidence``."""
_BLOCKING = {"count", "cocked", "unknown_dice", "too_dark"}
"""Warnings with which no reading is certain."""


def presence_terms(strength: float, none: float) -> Array:
    """What tells whether there is a die: who finds it, who reads it (as log odds), and 1."""
    shares = np.clip([strength, none], 1e-3, 1 - 1e-3)
    return np.array([*np.log(shares / (1 - shares)), 1.0])


@dataclass(frozen=True, eq=False)
class Judged:
    """A place where a die may be, in the photo's pixels, with all probabilities."""

    uv: Array
    corners: Array
    side: float
    strength: float
    leaning: float
    values: Array
    strange: float
    none: float

    @cached_property
    def presence(self) -> float:
        """Probability that there is a die: what finds and what reads must agree."""
        odds = float(PRESENCE @ presence_terms(self.strength, self.none))
        return 1.0 / (1.0 + float(np.exp(-odds)))

    @property
    def there(self) -> bool:
        """Whether it counts as a die."""
        return self.presence >= THERE

    @property
    def value(self) -> str:
        """The most probable value."""
        return FACES[int(self.values.argmax())]

    @property
    def p(self) -> float:
        """Probability of that value."""
        return float(self.values.max())


def compose(
    name: str, judged: Sequence[Judged], warnings: set[str], ms: Mapping[str, float]
) -> DiceReading:
    """The reading of a photo in which there are dice."""
    dice = [die for die in judged if die.there]
    warned = set(warnings)
    if len(dice) != DICE:
        warned.add("count")
    if any(die.leaning >= LEANS for die in dice):
        warned.add("cocked")
    if any(die.strange >= 0.5 for die in dice):
        warned.add("unknown_dice")
    confidence = _confidence(judged)
    sure = confidence >= CERTAIN and not warned & _BLOCKING
    doubtful = any(DOUBTED <= die.presence < THERE for die in judged)
    status = "certain" if sure and not doubtful else "uncertain"
    return DiceReading(
        photo=name,
        status="certain" if status == "certain" else "uncertain",
        message=_message(dice, warned, status == "certain"),
        dice="".join(sorted((die.value for die in dice), key=FACES.index)),
        confidence=confidence,
        seen=tuple(_seen(die) for die in dice),
        alternatives=_alternatives(dice, confidence),
        warnings=tuple(sorted(warned)),
        ms=ms,
    )


def _confidence(judged: Sequence[Judged]) -> float:
    """Probability that every die was found, nothing else was, and all values are right."""
    total = 1.0
    for die in judged:
        if die.there:
            total *= die.presence**0.25 * die.p * (1.0 - min(die.strange, 0.9))
            total *= 1.0 - min(0.9, max(0.0, die.leaning - 0.1))
        else:
            total *= 1.0 - die.presence
    return float(total)


def _seen(die: Judged) -> SeenDie:
    return SeenDie(
        value=die.value,
        p=die.p,
        uv=(float(die.uv[0]), float(die.uv[1])),
        side=die.side,
        cocked=die.leaning >= LEANS,
        corners=tuple((float(u), float(v)) for u, v in die.corners),
    )


def _alternatives(dice: Sequence[Judged], confidence: float) -> tuple[tuple[str, float], ...]:
    """Other values of the least sure dice, one or two of them changed at a time."""
    usual = [die.value for die in dice]
    odds: dict[str, float] = {}
    changes = [
        (index, FACES[k], float(die.values[k] / max(die.p, 1e-9)))
        for index, die in enumerate(dice)
        for k in range(len(FACES))
        if FACES[k] != die.value and die.values[k] > 1e-3
    ]
    changes = sorted(changes, key=lambda change: -change[2])[:8]
    for count in (1, 2):
        for chosen in combinations(changes, count):
            if len({index for index, _, _ in chosen}) < count:
                continue
            values = list(usual)
            for index, value, _ in chosen:
                values[index] = value
            text = "".join(sorted(values, key=FACES.index))
            chance = confidence * float(np.prod([odd for _, _, odd in chosen]))
            odds[text] = odds.get(text, 0.0) + chance
    odds.pop("".join(sorted(usual, key=FACES.index)), None)
    best = sorted(odds.items(), key=lambda entry: -entry[1])[:5]
    return tuple((text, min(1.0, p)) for text, p in best if p >= 5e-4)


def _message(dice: Sequence[Judged], warned: set[str], certain: bool) -> str:
    """For people: what is unsure and what to do about it."""
    if certain:
        return f"I see {_counted(len(dice))}."
    said = []
    if "unknown_dice" in warned:
        said.append("I don't know these dice. Enrol them with one photo of six in a row.")
    if "cocked" in warned:
        leaning = [die for die in dice if die.leaning >= LEANS]
        said.append(f"The die {_where(leaning[0], dice)} leans: set it flat or roll it again.")
    if "count" in warned:
        said.append(f"I see {_counted(len(dice))} instead of {DICE}.")
    least = min(dice, key=lambda die: die.p * die.presence)
    if not said or (least.p < 0.9 and "unknown_dice" not in warned):
        said.append(f"Look at the die {_where(least, dice)}: is it {_called(least.value)}?")
    if "too_dark" in warned:
        said.append("It is too dark; turn on a light.")
    if "blurred" in warned:
        said.append("The photo is blurred; hold still.")
    return " ".join(said)


def _counted(count: int) -> str:
    return "one die" if count == 1 else f"{count} dice"


def _called(value: str) -> str:
    return "a vortex" if value == "V" else f"a {value}"


def _where(die: Judged, dice: Sequence[Judged]) -> str:
    """Where a die lies among the others, in words."""
    places = np.array([other.uv for other in dice])
    low, high = places.min(axis=0), places.max(axis=0)
    share = (die.uv - low) / np.maximum(high - low, 1e-9)
    across = "left" if share[0] < 1 / 3 else "right" if share[0] > 2 / 3 else ""
    down = "top" if share[1] < 1 / 3 else "bottom" if share[1] > 2 / 3 else ""
    if len(dice) == 1:
        return "in the photo"
    if not across and not down:
        return "in the middle"
    return f"at the {' '.join(word for word in (down, across) if word)}"
