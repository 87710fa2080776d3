"""Texts for people on the wire."""

from pydantic import BaseModel


class TextBody(BaseModel):
    """The same words in English and German."""

    en: str
    de: str
