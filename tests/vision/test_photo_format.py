"""A photo's format is told by its first bytes, in one place."""

import pytest

from vision.photo_format import FORMATS, PhotoFormat, photo_format


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"\xff\xd8\xff\xe1", PhotoFormat.JPEG),
        (b"\x89PNG\r\n\x1a\n", PhotoFormat.PNG),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", PhotoFormat.WEBP),
        (b"\x00\x00\x00\x18ftypheic", PhotoFormat.HEIC),
        (b"\x00\x00\x00\x18ftypmif1", PhotoFormat.HEIC),
        (b"\x00\x00\x00\x18ftypmp42", None),
        (b"RIFF\x00\x00\x00\x00WAVE", None),
        (b"GIF89a", None),
        (b"", None),
    ],
)
def test_the_first_bytes_tell_the_format(start: bytes, kind: PhotoFormat | None) -> None:
    assert photo_format(start) is kind


def test_people_are_told_all_formats() -> None:
    assert FORMATS == "JPEG, PNG, WebP or HEIC"


def test_every_format_has_its_media_type_and_suffix() -> None:
    assert {kind.suffix: kind.media_type for kind in PhotoFormat} == {
        "jpg": "image/jpeg",
        "png": "image/png",
        "webp": "image/webp",
        "heic": "image/heic",
    }
