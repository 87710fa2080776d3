import random
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from api.photos.cleaning import cleaned
from api.photos.exif import essential_exif
from api.photos.uncleanable import UncleanableError
from calibration.photo_header import read_header
from tests.api.evidence.photos import KINDS, SECRET, Kind, picture, telling_exif, telling_photo
from vision.photo import load_photo

NOISE = random.Random(1).randbytes(8_000_000)
SAMPLES = sorted((Path(__file__).parents[3] / "sample_images").glob("*.jpg"))


def pixels(content: bytes) -> bytes:
    with Image.open(BytesIO(content)) as image:
        return np.asarray(image.convert("RGB")).tobytes()


def gps(content: bytes) -> dict[int, object]:
    with Image.open(BytesIO(content)) as image:
        return dict(image.getexif().get_ifd(0x8825))


@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_stays_and_its_place_goes(kind: Kind) -> None:
    photo = telling_photo(kind)
    load_photo(photo)  # teaches Pillow HEIC
    assert SECRET in photo
    assert gps(photo)
    kept = cleaned(photo).content
    assert SECRET not in kept
    assert not gps(kept)
    assert b"Maker" not in kept
    assert pixels(kept) == pixels(photo)
    assert len(kept) <= len(photo)


@pytest.mark.parametrize("kind", KINDS)
def test_how_it_was_held_and_its_lens_stay(kind: Kind) -> None:
    photo = telling_photo(kind)
    kept = cleaned(photo).content
    header = read_header(photo)
    assert header is not None
    assert header.focal_px == pytest.approx(26 / 43.2666 * np.hypot(96, 64), rel=1e-4)
    assert header.orientation == (1 if kind == "HEIF" else 6)
    assert read_header(kept) == header
    assert b"2026:11:16 20:15:00" in kept


@pytest.mark.parametrize("kind", KINDS)
def test_cleaning_twice_changes_nothing(kind: Kind) -> None:
    once = cleaned(telling_photo(kind)).content
    assert cleaned(once).content == once


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
def test_an_orientation_that_only_xmp_tells_stays(kind: Kind) -> None:
    photo = telling_photo(kind, orientation=None)
    header = read_header(photo)
    assert header is not None
    assert header.orientation == 3
    assert read_header(cleaned(photo).content) == header


@pytest.mark.parametrize("mode", ["progressive", "restarts", "cmyk", "grey"])
def test_every_sort_of_jpeg(mode: str) -> None:
    out = BytesIO()
    options: dict[str, dict[str, object]] = {
        "progressive": {"progressive": True},
        "restarts": {"restart_marker_blocks": 2},
        "cmyk": {},
        "grey": {},
    }
    shown = picture().convert({"cmyk": "CMYK", "grey": "L"}.get(mode, "RGB"))
    shown.save(out, "JPEG", exif=telling_exif(), **options[mode])
    kept = cleaned(out.getvalue()).content
    assert pixels(kept) == pixels(out.getvalue())
    assert SECRET not in kept


def large_jpeg(scan: bytes) -> bytes:
    """A photo whose picture's data are these."""
    photo = telling_photo("JPEG")
    start = photo.index(b"\xff\xda")
    head = photo[: start + 2 + int.from_bytes(photo[start + 2 : start + 4], "big")]
    return head + scan + b"\xff\xd9"


@pytest.mark.parametrize(
    "scan",
    [
        pytest.param(NOISE.replace(b"\xff", b"\xff\x00"), id="data"),
        pytest.param(b"\xff" * 8_000_000 + b"\x00", id="fill bytes"),
        pytest.param(b"\xff\xff\x00" * 2_000_000, id="fill bytes and data"),
    ],
)
def test_a_large_photo_holds_nobody_up(scan: bytes) -> None:
    """While a photo is cleaned no other thread gets on, and so nobody is answered."""
    photo = large_jpeg(scan)
    once = least_s(lambda: photo.count(b"\x00\xff"))
    assert least_s(lambda: cleaned(photo)) <= 10 * once + 0.05


def least_s(work: Callable[[], object]) -> float:
    """Seconds of this thread that the work takes, at best of three: fresh memory costs extra."""
    taken = []
    for _ in range(3):
        begun = time.thread_time()
        work()
        taken.append(time.thread_time() - begun)
    return min(taken)


def test_fill_bytes_between_the_scan_and_the_end_go() -> None:
    photo = large_jpeg(b"data\xff\x00data\xff\xd0data")
    filled = photo[:-2] + b"\xff" * 5 + b"\xff\xd9"
    assert cleaned(filled).content == cleaned(photo).content
    assert cleaned(photo).content.endswith(b"data\xff\x00data\xff\xd0data\xff\xd9")


def test_more_parts_than_any_photo_has_are_refused() -> None:
    with pytest.raises(UncleanableError):
        cleaned(b"\xff\xd8" + b"\xff\xda\x00\x02" * 1_000_000 + b"\xff\xd9")


def test_a_small_webp_without_an_extended_header() -> None:
    out = BytesIO()
    picture().save(out, "WEBP", quality=80)
    assert cleaned(out.getvalue()).content == out.getvalue()


def test_little_endian_exif_of_other_cameras() -> None:
    big = telling_exif().tobytes()[6:]
    exif = telling_exif()
    exif.endian = "<"
    little = exif.tobytes()[6:]
    assert little[:2] == b"II"
    assert big[:2] == b"MM" or big != little
    assert essential_exif(little) == essential_exif(big)


def test_a_sample_photo_reads_the_same() -> None:
    photo = SAMPLES[0].read_bytes()
    kept = cleaned(photo).content
    assert pixels(kept) == pixels(photo)
    assert read_header(kept) == read_header(photo)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6])
def test_a_file_cut_off_is_refused_or_clean(kind: Kind, share: float) -> None:
    photo = telling_photo(kind)
    try:
        kept = cleaned(photo[: int(len(photo) * share)]).content
    except UncleanableError:
        return
    assert SECRET not in kept


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_no_damage_upsets_it_or_lets_anything_through(kind: Kind, data: st.DataObject) -> None:
    photo = bytearray(_PHOTOS[kind])
    for _ in range(data.draw(st.integers(1, 8))):
        photo[data.draw(st.integers(0, min(len(photo), 2000) - 1))] = data.draw(st.integers(0, 255))
    try:
        kept = cleaned(bytes(photo)).content
    except UncleanableError:
        return
    assert len(kept) <= len(photo) + 4


_PHOTOS = {kind: telling_photo(kind) for kind in KINDS}


@pytest.mark.parametrize("content", [b"", b"GIF89a" + bytes(50), b"%PDF-1.7", b"RIFF1234WAVE"])
def test_what_is_no_photo_is_refused(content: bytes) -> None:
    with pytest.raises(UncleanableError, match="not kept"):
        cleaned(content)


def test_moving_pictures_are_refused() -> None:
    out = BytesIO()
    picture().save(
        out, "WEBP", save_all=True, append_images=[picture((96, 64)).rotate(180)], duration=100
    )
    with pytest.raises(UncleanableError):
        cleaned(out.getvalue())
