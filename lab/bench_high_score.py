"""Measures High Score's rules and its adviser. ``python -m lab.bench_high_score`` runs it.

The limits are: preparation 1 s a process, any challenge 300 ms the first time, each answer 50 ms.
Times are of this process's own work, so that a busy machine does not count.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import median

from rules.high_score.adviser import AtLeast, Chips, advise
from rules.high_score.challenges import Challenge, Scoring, Vortex, Way
from rules.high_score.dice import DICE, FACES, Dice
from rules.high_score.moments import Moment
from rules.high_score.scoring import score

VORTICES = (-20, -5, 0, 3, 6, 10, 20, *Vortex)
SCORED = 5_000


@dataclass(frozen=True)
class Times:
    """Times of many measurements, in milliseconds, with what was asked."""

    taken: tuple[tuple[float, str], ...]

    def say(self, what: str) -> None:
        """Print the median and the worst."""
        worst, asked = max(self.taken)
        middle = median(time for time, _ in self.taken)
        print(f"{what:46s} median {middle:7.2f} ms, worst {worst:7.2f} ms ({asked})")


def main() -> None:
    """Print all figures."""
    yardstick = _milliseconds(lambda: sum(i * i for i in range(1_000_000)))
    print(f"{'yardstick: a million squares summed':46s}        {yardstick:7.2f} ms")
    preparing = [_milliseconds_of_a_process() for _ in range(5)]
    print(f"{'loading and preparing, a process of its own':46s} median {median(preparing):7.2f} ms")
    _bench_scoring()
    _bench_adviser()


def _bench_scoring() -> None:
    rng = random.Random(1)
    for vortex in ("-3", "free"):
        taken = []
        for _ in range(SCORED):
            challenge = Challenge.parse(f"{rng.choice(list(Scoring))}/four/{vortex}")
            dice = Dice("".join(rng.choices(FACES, k=DICE)))
            taken.append((_milliseconds(partial(score, dice, challenge)), f"{challenge} {dice}"))
        Times(tuple(taken)).say(f"scoring, vortex {vortex}")


def _bench_adviser() -> None:
    first, again, at_least, chips = (list[tuple[float, str]]() for _ in range(4))
    for challenge in _all_challenges():
        start, middle = Moment.start(challenge), Moment.parse(challenge, 1, "1233V55")
        for times, asked in (
            (first, partial(advise, start)),
            (again, partial(advise, middle)),
            (at_least, partial(advise, middle, AtLeast(17))),
            (chips, partial(advise, middle, Chips((17, 9), 2))),
        ):
            times.append((_milliseconds(asked), str(challenge)))
    Times(tuple(first)).say(f"first answer of {len(first)} challenges")
    Times(tuple(again)).say("a further answer, same goal")
    Times(tuple(at_least)).say("a further answer, new goal at_least")
    Times(tuple(chips)).say("a further answer, new goal chips")


def _all_challenges() -> Iterator[Challenge]:
    """Many challenges; those of the slowest way come first and so pay for what all ways share."""
    for way in (Way.ASIDE, Way.THREE, Way.FOUR):
        for scoring in Scoring:
            for vortex in VORTICES:
                yield Challenge(scoring, way, vortex)


def _milliseconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def _milliseconds_of_a_process() -> float:
    """What a fresh process needs until the tables that all challenges share are made."""
    code = (
        "import time; from rules.high_score.challenges import Challenge; "
        "from rules.high_score.adviser import par; par(Challenge.parse('total/three/0')); "
        "par(Challenge.parse('total/aside/0')); print(time.process_time() * 1000)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(ran.stdout)


if __name__ == "__main__":
    main()
