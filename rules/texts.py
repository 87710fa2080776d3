"""The same words in every language of the page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """The same words in English and German, and in French where a game's box speaks it."""

    en: str
    de: str
    fr: str | None = None

    def to_json(self) -> dict[str, str]:
        """The text by language."""
        spoken = {"en": self.en, "de": self.de}
        return spoken if self.fr is None else {**spoken, "fr": self.fr}

    def __getitem__(self, language: str) -> str:
        return self.to_json()[language]
