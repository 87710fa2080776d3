"""Measures the rules engine: solver, judge, cold start. ``make bench-rules`` runs it.

Timings on shared machines are noisy; what counts is their ratio to the yardstick, a fixed piece
of pure Python timed in the same run.
"""

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from rules.dimension.board import seats_in, shapes
from rules.dimension.cards import Card, standard_deck
from rules.dimension.layout import COLORS, PER_COLOR, Layout
from rules.dimension.many import judge_many
from rules.dimension.moves import better_from
from rules.dimension.solver import solve

DEALS = 200
BATCH = 100_000


def main() -> None:
    """Print all figures."""
    yardstick = _milliseconds(lambda: sum(i * i for i in range(1_000_000)))
    _say("yardstick: a million squares summed", yardstick)
    _say("solver, preparation and first deal", _milliseconds(lambda: solve(_deal(-1, 6))))
    for size in (6, 8):
        times = [_milliseconds(partial(solve, _deal(seed, size))) for seed in range(DEALS)]
        _say(f"solver, {DEALS} deals of {size}: median", statistics.median(times))
        _say(f"solver, {DEALS} deals of {size}: worst", max(times))
    starts = [_random_layout(seed) for seed in range(30)]
    times = [_milliseconds(partial(better_from, at, 3, _deal(1, 6))) for at in starts]
    _say("better within three moves: median", statistics.median(times))
    _say("better within three moves: worst", max(times))
    layouts, cards = [_random_layout(seed) for seed in range(BATCH)], _deal(1, 6)
    _say(
        f"judging {BATCH:,} layouts by six cards", _milliseconds(lambda: judge_many(layouts, cards))
    )
    score = [sys.executable, "-m", "api.cli", "score", "OKBGGWB/K.B.O./K", "--cards", "touch:BK"]
    run = partial(subprocess.run, score, stdout=subprocess.DEVNULL, check=True)
    times = [_milliseconds(run) for _ in range(9)]
    _say("trayscore score LAYOUT, cold start: median", statistics.median(times))


def _deal(seed: int, size: int) -> list[Card]:
    return random.Random(seed).sample(standard_deck().cards, size)


def _random_layout(seed: int) -> Layout:
    rng = random.Random(seed)
    colors = rng.sample(COLORS * PER_COLOR, len(COLORS) * PER_COLOR)
    return Layout.of(dict(zip(seats_in(rng.choice(shapes())), colors, strict=False)))


def _milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def _say(what: str, milliseconds: float) -> None:
    print(f"{what:50s} {milliseconds:9.1f} ms")


if __name__ == "__main__":
    main()
