"""Whether what is told of a turn fits together: one roll after another, and the final dice.

Rolls between those that were told may be missing; only what cannot be is refused.
"""

from rules.high_score.challenges import Way
from rules.high_score.dice import Dice
from rules.high_score.moments import Moment
from rules.playing import IllegalMove


def refuse_other_roll(before: Moment, after: Moment) -> None:
    """Raise if a turn cannot come from one roll to a later one."""
    if after.challenge.way is Way.ASIDE:
        _refuse_other_aside(before, after)
    else:
        _refuse_lost_vortices(before, after.dice)


def refuse_other_dice(last: Moment, final: Dice) -> None:
    """Raise if a turn cannot end with these dice after the last roll that was told."""
    if last.challenge.way is Way.ASIDE:
        if not final.has(last.aside):
            text = f"Set aside before: {last.aside}. Not all of that is among the final dice."
            raise _contradiction(text)
        _refuse_none_kept(last, final.without(last.aside))
        over = len(last.dice) == 1
    else:
        over = last.rolls_left == 0
    _refuse_lost_vortices(last, final)
    lying = Dice(last.dice.faces + last.aside.faces).sorted()
    if over and final.sorted() != lying:
        raise _contradiction(f"The last roll left {lying}, not {final.sorted()}.")


def _refuse_other_aside(before: Moment, after: Moment) -> None:
    if not after.aside.has(before.aside):
        raise _contradiction(f"Set aside before: {before.aside}. All of that stays aside.")
    new = after.aside.without(before.aside)
    between = after.roll - before.roll
    if len(new) < between:
        raise _contradiction("After each roll at least one more die is set aside.")
    if between == 1 and not before.dice.has(new):
        raise _contradiction(f"{new} cannot have been set aside: the roll was {before.dice}.")
    _refuse_none_kept(before, new)
    if before.challenge.frozen and new.vortices < before.dice.vortices:
        raise _contradiction("A frozen vortex is set aside at once.")


def _refuse_none_kept(before: Moment, new: Dice) -> None:
    if not set(before.dice.faces) & set(new.faces):
        text = f"At least one die of the roll {before.dice} was set aside, but none is there."
        raise _contradiction(text)


def _refuse_lost_vortices(before: Moment, dice: Dice) -> None:
    there = before.dice.vortices + before.aside.vortices
    if before.challenge.frozen and dice.vortices < there:
        text = f"A frozen vortex stays: there were {there} before, now there are {dice.vortices}."
        raise _contradiction(text)


def _contradiction(text: str) -> IllegalMove:
    return IllegalMove("contradicts_rolls", f"{text} Tell the last roll again if it was wrong.")
