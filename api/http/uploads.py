"""Uploaded photos: how many, how large, and whether they are photos at all.

Here only sizes and first bytes are checked. A worker looks into the file (``vision.photo``) and
refuses absurd dimensions before it decodes a pixel.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import File, UploadFile

from api.problems import Problem
from api.settings import Settings
from vision.photo_format import FORMATS, NOT_A_PHOTO, photo_format

MOST_PHOTOS = 4
_LONGEST_NAME = 100

Photos = Annotated[
    list[UploadFile],
    File(
        description=f"1 to {MOST_PHOTOS} photos: {FORMATS}",
        json_schema_extra={"minItems": 1, "maxItems": MOST_PHOTOS},
    ),
]
"""The form's field ``photos``."""


@dataclass(frozen=True)
class Uploaded:
    """A photo as it was sent; ``name`` is only for display."""

    name: str
    content: bytes


async def take_photos(files: Sequence[UploadFile], settings: Settings) -> list[Uploaded]:
    """The uploaded photos' content; raises ``Problem`` unless there are 1 to 4 pictures."""
    if not 1 <= len(files) <= MOST_PHOTOS:
        text = f"Send 1 to {MOST_PHOTOS} photos, not {len(files)}."
        raise Problem(422, "bad_count", text)
    return [await take_photo(file, settings, number) for number, file in enumerate(files, 1)]


async def take_photo(file: UploadFile, settings: Settings, number: int = 1) -> Uploaded:
    """One uploaded photo's content; raises ``Problem`` if it is too large or no picture."""
    most = int(settings.photo_mb * 1e6)
    if file.size is None or file.size > most:
        text = f"A photo may have at most {settings.photo_mb:g} MB. Send a smaller one."
        raise Problem(413, "too_large", text)
    content = await file.read(most + 1)
    if photo_format(content) is None:
        raise Problem(415, "not_an_image", NOT_A_PHOTO)
    return Uploaded(shown_name(file.filename) or f"photo-{number}", content)


def shown_name(filename: str | None) -> str:
    """A file's name for display: without folders and special characters."""
    last = re.split(r"[/\\]", filename or "")[-1]
    return re.sub(r"[^\w .()+-]", "", last).strip(" .")[-_LONGEST_NAME:]
