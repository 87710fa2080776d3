"""Names and texts as people type them: in composed form, with nothing in them that nobody sees.

Whoever reads a name on two screens reads the same two names: no invisible or direction-changing
characters, and no two names at a table that look alike. Names of older tables are left alone.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Controls, formats, halves of characters, private and unassigned ones, separators of lines."""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0"
    "\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that are drawn as nothing, and variation selectors."""
_STYLE = re.compile("[\ufe0e\ufe0f]")
"""Phones add these to emoji to choose a style; without them the same emoji is shown."""
_JOINERS = "\u200c\u200d"
_PICTURES = ("\U0001f300", "\U0001faff")
"""Emoji of newer Unicode than Python's are unassigned to it."""
_MOST_MARKS = 4
"""On one letter: more are not writing, but cover the lines above and below."""
_NEW_LINES = "\t\n"


class BadName(ValueError):
    """A name or text that cannot be taken, with the reason."""


def tidied(name: str) -> str:
    """The name in composed form, its white space made single; raises ``BadName`` if unseen."""
    text = _STYLE.sub("", unicodedata.normalize("NFC", name.strip()))
    _refuse_unseen(text, "")
    if unicodedata.category(text[:1] or "x").startswith("M"):
        raise BadName("A name cannot begin with an accent that has no letter.")
    return " ".join(text.split())


def tidied_text(text: str) -> str:
    """A text of several lines in composed form; raises ``BadName`` if something is unseen."""
    composed = _STYLE.sub("", unicodedata.normalize("NFC", text))
    _refuse_unseen(composed, _NEW_LINES)
    return composed


def _refuse_unseen(text: str, allowed: str) -> None:
    marks = 0
    for place, letter in enumerate(text):
        category = unicodedata.category(letter)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > _MOST_MARKS:
            raise BadName("There are too many accents on one letter.")
        if letter in allowed or _is_seen(letter, category):
            continue
        if letter in _JOINERS and _joins(text[:place], text[place + 1 :]):
            continue
        raise BadName(
            f"The character U+{ord(letter):04X} at place {place + 1} cannot be seen, or changes "
            "how the others are shown. Leave it out."
        )


def _is_seen(letter: str, category: str) -> bool:
    if category == "Cn":
        return _PICTURES[0] <= letter <= _PICTURES[1]
    return category not in _UNSEEN and not _BLANK.match(letter)


def _joins(before: str, after: str) -> bool:
    """Whether a joiner is at work: in Arabic writing, after a virama, or between emoji."""
    if not before or not after:
        return False
    if unicodedata.combining(before[-1]) == 9:
        return True
    if unicodedata.bidirectional(before[-1]) == unicodedata.bidirectional(after[0]) == "AL":
        return True
    return _is_picture(before[-1]) and _is_picture(after[0])


def _is_picture(letter: str) -> bool:
    return unicodedata.category(letter) in ("So", "Sk", "Cn")


def look_alike(names: Sequence[str]) -> tuple[str, str] | None:
    """The first two of these names that people take for one another; None if there are none."""
    seen: dict[tuple[int, str], str] = {}
    for name in names:
        for form in enumerate(_forms(name)):
            if form in seen:
                return seen[form], name
        seen |= dict.fromkeys(enumerate(_forms(name)), name)
    return None


def _forms(name: str) -> tuple[str, str, str]:
    """A name by its looks alone: as written, in small letters, and as its looks in small letters.

    Two names look alike if they agree in one of these.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if c not in _JOINERS)
    return _looks(plain), _looks(plain.casefold()), _looks(plain).casefold()


def _looks(text: str) -> str:
    return text.translate(_prototypes()).replace("rn", "m")


@cache
def _prototypes() -> dict[int, str]:
    """For each character that looks like others, the one that stands for all of them."""
    lines = (files("api") / "data" / "lookalikes.txt").read_text("utf-8").splitlines()
    groups = [line for line in lines if not line.startswith("# ")]
    return {ord(letter): group[0] for group in groups for letter in group[1:]}
