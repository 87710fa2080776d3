"""What may stay after a roll: all choices that a way of rolling allows, for all rolls at once."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from rules.high_score.adviser.heaps import Floats, Heaps, Places, heaps
from rules.high_score.challenges import Way
from rules.high_score.dice import DICE

TIE = 1e-11
"""Values that differ by less than this share of their size are equal: sums of doubles err by
about a tenth of that at worst. Values are never negative here, so nothing cancels out."""


@dataclass(frozen=True)
class Offers:
    """For each roll of so many dice, the heaps that may stay, those with more dice first.

    ``keeps`` lists them roll after roll; ``starts`` says where each roll's begin.
    """

    keeps: Places
    starts: Places

    def of_roll(self, roll: int) -> Places:
        """The choices after one roll, counted from 0 within its size."""
        ends = np.append(self.starts, len(self.keeps))
        return self.keeps[ends[roll] : ends[roll + 1]]

    def best(self, values: Floats) -> Places:
        """Which choice is best after each roll, by the values of all choices (last axis).

        Of equals the first, which keeps the most dice.
        """
        top = np.maximum.reduceat(values, self.starts, axis=-1)
        counts = np.diff(np.append(self.starts, len(self.keeps)))
        good = values >= np.repeat(top * (1 - TIE), counts, axis=-1)
        places = np.where(good, np.arange(len(self.keeps)), len(self.keeps))
        return np.minimum.reduceat(places, self.starts, axis=-1)


@cache
def offers(rolled: int, way: Way, frozen: bool, dice: int = DICE) -> Offers:
    """What may stay after so many dice were rolled (not counting those set aside before)."""
    all_heaps = heaps(dice)
    rolls, keeps = _parts(all_heaps, rolled)
    vortices = all_heaps.vortices
    allowed = np.ones(len(rolls), np.bool_)
    if frozen:
        allowed &= vortices[keeps] == vortices[rolls]
    if way is Way.ASIDE and rolled:
        allowed &= all_heaps.sizes[keeps] > 0
    if way is Way.FOUR:
        locked = vortices[rolls] if frozen else np.zeros_like(rolls)
        only_locked = (all_heaps.sizes[keeps] == locked) & (vortices[keeps] == locked)
        allowed &= (keeps == rolls) | only_locked
    rolls, keeps = rolls[allowed], keeps[allowed]
    order = np.lexsort((-keeps, -all_heaps.sizes[keeps], rolls))
    starts = np.searchsorted(rolls[order], np.unique(rolls))
    return Offers(keeps[order], starts)


def _parts(all_heaps: Heaps, size: int) -> tuple[Places, Places]:
    """Every heap of a size with every heap in it."""
    rolls, keeps = [], []
    for kept in range(size + 1):
        keep, rest = all_heaps.of_size(kept), all_heaps.of_size(size - kept)
        whole = all_heaps.place_of_code[all_heaps.codes[keep, None] + all_heaps.codes[rest]]
        rolls.append(whole.ravel())
        keeps.append(np.repeat(np.arange(keep.start, keep.stop), whole.shape[1]))
    return np.concatenate(rolls), np.concatenate(keeps)
