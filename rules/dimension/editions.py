"""The two editions: how many tokens are in the box and what bonus tokens are worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rules.errors import RulesError

ROUNDS = 6
MOST_PLAYERS = 4
START_TOKENS: Mapping[int, int] = MappingProxyType({5: 1, 1: 5})
START_POINTS = sum(value * count for value, count in START_TOKENS.items())


@dataclass(frozen=True)
class Edition:
    """What differs between the English and the German box."""

    code: str
    point_tokens: Mapping[int, int]
    bonus_tokens: int
    conversion: tuple[int, ...]
    chip_for_fewer: bool

    def bonus(self, all_met: bool, five_colors: bool, spheres: int, most: int | None) -> int:
        """Bonus tokens for one tray; ``most`` is the number of spheres on the fullest tray."""
        if not all_met:
            return 0
        fewer = self.chip_for_fewer and most is not None and spheres < most
        return int(five_colors) + int(fewer)

    def convert(self, tokens: int) -> int:
        """What so many bonus tokens are worth at the end."""
        return self.conversion[tokens]


ENGLISH = Edition(
    code="en",
    point_tokens=MappingProxyType({1: 30, 5: 20, 10: 10, 20: 6, 50: 24}),
    bonus_tokens=30,
    conversion=(-6, -3, -1, 0, 1, 3, 6),
    chip_for_fewer=False,
)
GERMAN = Edition(
    code="de",
    point_tokens=MappingProxyType({1: 30, 5: 20, 10: 10, 20: 5, 50: 9}),
    bonus_tokens=45,
    conversion=(-10, -6, -3, -1, 0, 1, 3, 6, 10, 15, 21, 28, 36),
    chip_for_fewer=True,
)
_EDITIONS = {edition.code: edition for edition in (ENGLISH, GERMAN)}


def edition(code: str) -> Edition:
    """The edition with this code, ``en`` or ``de``."""
    if code not in _EDITIONS:
        raise RulesError(
            "bad_edition", f"There is no edition {code!r}. Use {' or '.join(_EDITIONS)}."
        )
    return _EDITIONS[code]
