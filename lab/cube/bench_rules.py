"""Measures Cube's solver. ``python -m lab.cube.bench_rules [SETS]`` runs it.

The limits for two to six cards are: median 1 s, worst 10 s. Both the time on the clock and that of
this process alone are told, so that a busy machine does not count.
"""

import random
import sys
import time
from statistics import median

from rules.cube.cards import standard_deck
from rules.cube.judge import judge
from rules.cube.solver import solve

SETS = 10


def main(sets: int) -> None:
    """Print the figures for random cards of our deck."""
    rng = random.Random(14)
    print("cards  proven  median s  worst s  (process: median, worst)  cubes")
    for number in range(2, 7):
        clock, own, cubes, proven = [], [], [], 0
        for _ in range(sets):
            cards = rng.sample(standard_deck().cards, number)
            started, used = time.perf_counter(), time.process_time()
            found = solve(cards)
            clock.append(time.perf_counter() - started)
            own.append(time.process_time() - used)
            proven += found.optimal
            if found.building is not None:
                assert all(verdict.fulfilled for verdict in judge(found.building, cards))
                cubes.append(len(found.building))
        print(
            f"{number:5d}  {proven:3d}/{sets:<3d} {median(clock):8.2f} {max(clock):8.2f}"
            f"  ({median(own):.2f}, {max(own):.2f})  {sorted(cubes)}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS)
