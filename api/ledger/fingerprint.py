"""Six words for a hash, so that people can compare it by reading it out."""

from functools import cache
from importlib.resources import files

WORDS_IN_ALL = 6
_BITS = 10
"""A word stands for ten bits: the list has 1024, no two of which differ by one letter only."""


def fingerprint(digest: str) -> str:
    """Six words for the first sixty bits of a hash in hexadecimal digits.

    To pass off another history one would have to try some 10¹⁸ until one has the same words.
    """
    number = int(digest[:16], 16) >> 4
    return " ".join(
        words()[number >> _BITS * (WORDS_IN_ALL - 1 - place) & (1 << _BITS) - 1]
        for place in range(WORDS_IN_ALL)
    )


@cache
def words() -> tuple[str, ...]:
    """The list of words, in alphabetical order."""
    return tuple(files("api.ledger").joinpath("data/words.txt").read_text("utf-8").split())
