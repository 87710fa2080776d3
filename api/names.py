"""Names and texts as people type them: in composed form, without invisible characters.

A name looks the same on every screen: no invisible or direction-changing characters, and no two
names at a table that look alike. Names of older tables stay as they are.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Controls, formats, surrogates, private and unassigned characters, line separators."""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0"
    "\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that draw nothing, and variation selectors."""
_STYLE = re.compile("[\ufe0e\ufe0f]")
"""Phones add these to emoji to choose a style; the emoji is the same without them."""
_JOINERS = "\u200c\u200d"
_PICTURES = ("\U0001f300", "\U0001faff")
"""Emoji of newer Unicode than Python's are unassigned to it."""
_MOST_MARKS = 4
"""Per letter: more are not writing, and cover the lines above and below."""
_NEW_LINES = "\t\n"


class BadName(ValueError):
    """A name or text that is refused, with the reason."""


def tidied(name: str) -> str:
    """The name in composed form with single spaces; raises ``BadName`` if parts are invisible."""
    text = _STYLE.sub("", unicodedata.normalize("NFC", name.strip()))
    _refuse_unseen(text, "")
    if unicodedata.category(text[:1] or "x").startswith("M"):
        raise BadName("A name cannot begin with an accent without a letter.")
    return " ".join(text.split())


def tidied_text(text: str) -> str:
    """A text of several lines in composed form; raises ``BadName`` if parts are invisible."""
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
            f"The character U+{ord(letter):04X} at position {place + 1} is invisible, or changes "
            "how the text is displayed. Leave it out."
        )


def _is_seen(letter: str, category: str) -> bool:
    if category == "Cn":
        return _PICTURES[0] <= letter <= _PICTURES[1]
    return category not in _UNSEEN and not _BLANK.match(letter)


def _joins(before: str, after: str) -> bool:
    """Whether a joiner has an effect: in Arabic writing, after a virama, or between emoji."""
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
    """The first two of these names that look alike; None if all differ."""
    seen: dict[tuple[int, str], str] = {}
    for name in names:
        for form in enumerate(_forms(name)):
            if form in seen:
                return seen[form], name
        seen |= dict.fromkeys(enumerate(_forms(name)), name)
    return None


def _forms(name: str) -> tuple[str, str, str]:
    """What a name looks like: as written, in small letters, and its look in small letters.

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
