"""German for the service's English texts, by templates: code that refuses writes English only.

Each layer and each game has its texts in ``data/german.json``. There ``texts`` maps an English
template to a German one, and ``codes`` has a sentence for problems whose English text is not ours
(a library wrote it) or is new. ``<name>`` in a template stands for anything; ``<=name>`` for
something that is translated in turn.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from rules.games import GAMES

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = ("en", "de")
"""What problems are told in; the first is the default."""

LAYERS = ("api", "rules", "calibration", "vision")
_FILE = "german.json"
_LONGEST = 600
"""Longer texts quote what a client sent at length; matching them would take its time."""
_DEPTH = 3
_PLACE = re.compile(r"<(=?)([a-z_]+)>")
_ANYTHING, _ONE_SENTENCE = ".", r"(?:(?![.!?] ).)"
_SENTENCES = re.compile(r"(?<=[.!?]) +")
_RANGE = re.compile(
    r"\s*([A-Za-z*]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?"
)


@dataclass(frozen=True)
class Template:
    """An English text with places to fill in, and the same in German."""

    english: str
    german: str

    @property
    def start(self) -> str:
        """What every text of this template begins with."""
        return _PLACE.split(self.english, maxsplit=1)[0]

    def pattern(self, anything: str) -> re.Pattern[str]:
        """Matches the texts of this template, with a group per place that takes ``anything``."""
        parts = _PLACE.split(self.english)
        written = re.escape(parts[0])
        for in_turn, name, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            again = f"(?P<{name}>" in written
            inside = _ANYTHING if in_turn else anything
            written += f"(?P={name})" if again else f"(?P<{name}>{inside}+?)"
            written += re.escape(after)
        return re.compile(written, re.DOTALL)


@dataclass(frozen=True)
class Known:
    """A template and its patterns: places take a part of a sentence, or anything."""

    template: Template
    strict: re.Pattern[str]
    loose: re.Pattern[str]


@dataclass(frozen=True)
class Catalogue:
    """German texts by English template, and by code."""

    templates: Mapping[str, tuple[Known, ...]]
    """By the first letter of their texts, the most wordy one first."""
    codes: Mapping[str, str]

    def text(self, english: str, depth: int = 0) -> str | None:
        """A text in German, as a whole or sentence by sentence; None if it is not known."""
        if len(english) > _LONGEST or depth > _DEPTH:
            return None
        told: list[str] = []
        sentences = _SENTENCES.split(english)
        while sentences:
            for count in range(len(sentences), 0, -1):
                text = self._one("strict", " ".join(sentences[:count]), depth)
                if text is not None:
                    told.append(text)
                    del sentences[:count]
                    break
            else:  # something quoted may look like the end of a sentence
                return self._one("loose", english, depth)
        return " ".join(told)

    def _one(self, how: Literal["strict", "loose"], english: str, depth: int) -> str | None:
        """The German of a text that one template made."""
        for start in (english[:1], ""):
            for known in self.templates.get(start, ()):
                if english.startswith(known.template.start):
                    pattern = known.strict if how == "strict" else known.loose
                    found = pattern.fullmatch(english)
                    if found is not None:
                        return self._filled(known.template, found.groupdict(), depth)
        return None

    def _filled(self, template: Template, values: Mapping[str, str], depth: int) -> str:
        def value(place: re.Match[str]) -> str:
            given = values[place[2]]
            return (self.text(given, depth + 1) if place[1] else None) or given

        return _PLACE.sub(value, template.german)


@cache
def catalogue() -> Catalogue:
    """All German texts there are: those of each layer, and of each game in it."""
    texts, codes = dict[str, str](), dict[str, str]()
    for layer in LAYERS:
        for folder in (files(layer), *(files(layer) / game for game in GAMES)):
            file = folder / "data" / _FILE
            if file.is_file():
                told = json.loads(file.read_text("utf-8"))
                texts |= told["texts"]
                codes |= told["codes"]
    by_start: dict[str, list[Known]] = {}
    for english in sorted(texts, key=lambda text: len(_PLACE.sub("", text)), reverse=True):
        template = Template(english, texts[english])
        known = Known(template, template.pattern(_ONE_SENTENCE), template.pattern(_ANYTHING))
        by_start.setdefault(template.start[:1], []).append(known)
    return Catalogue({start: tuple(found) for start, found in by_start.items()}, codes)


@lru_cache(maxsize=1024)
def in_german(code: str | None, english: str) -> str | None:
    """A text in German: its own, else the one of its code; None if there is neither."""
    known = catalogue()
    return known.text(english) or (None if code is None else known.codes.get(code))


def preferred(accepted: str | None) -> Language:
    """The language that an ``Accept-Language`` header asks for; English if it asks for neither."""
    best: tuple[float, Language] = (0.0, LANGUAGES[0])
    for wish in (accepted or "")[:200].split(","):
        found = _RANGE.fullmatch(wish.rstrip())
        language = None if found is None else _language(found[1].lower())
        weight = float((found and found[2]) or 1.0)
        if language is not None and weight > best[0]:
            best = weight, language
    return best[1]


def _language(name: str) -> Language | None:
    if name == "*":
        return LANGUAGES[0]
    return next((language for language in LANGUAGES if language == name), None)
