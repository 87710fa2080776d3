from io import BytesIO
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ExifTags, Image
from PIL.TiffImagePlugin import IFDRational

from calibration.photo_header import PhotoHeader, read_header

WIDE, TALL = 400, 300
DIAGONAL = hypot(WIDE, TALL)
FILM_DIAGONAL = hypot(36, 24)

Lens = dict[str, Any]


def photo(lens: Lens | None = None, orientation: int | None = None, kind: str = "jpeg") -> bytes:
    """A grey picture file with these EXIF tags by name."""
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "Trayscore"
    if orientation is not None:
        exif[ExifTags.Base.Orientation] = orientation
    if lens is not None:
        numbers = {ExifTags.Base[name].value: value for name, value in lens.items()}
        exif.get_ifd(ExifTags.IFD.Exif).update(numbers)
    file = BytesIO()
    Image.new("RGB", (WIDE, TALL), "gray").save(file, kind, exif=exif)
    return file.getvalue()


def focal(**lens: Any) -> float | None:
    header = read_header(photo(lens))
    assert header is not None
    return header.focal_px


def test_a_file_without_exif_tells_its_size_only() -> None:
    assert read_header(photo()) == PhotoHeader(WIDE, TALL, orientation=1, focal_px=None)


def test_the_35_mm_focal_length_is_compared_by_diagonals() -> None:
    assert focal(FocalLengthIn35mmFilm=26) == pytest.approx(26 * DIAGONAL / FILM_DIAGONAL)


def test_known_phone() -> None:
    """An iPhone's main lens, 26 mm on film: about 80° on the diagonal, 67° across."""
    found = focal(FocalLengthIn35mmFilm=26, FocalLength=IFDRational(425, 100))
    assert found == pytest.approx(300.4, abs=0.1)


@pytest.mark.parametrize(
    ("unit", "density"), [(2, 400 * 25.4 / 6), (3, 400 * 10 / 6), (4, 400 / 6), (5, 0.4 / 6)]
)
def test_focal_length_by_sensor_density(unit: int, density: float) -> None:
    """A lens of 4.5 mm before a sensor 6 mm and 400 pixels wide: 300 pixels, in every unit."""
    assert focal(
        FocalLength=4.5,
        FocalPlaneXResolution=IFDRational(round(density * 1e6), 1_000_000),
        FocalPlaneResolutionUnit=unit,
    ) == pytest.approx(300, rel=1e-4)


def test_sensor_density_counts_the_pixels_of_the_picture_as_taken() -> None:
    assert focal(
        FocalLength=4.5,
        FocalPlaneXResolution=4000 / 6 * 10,
        FocalPlaneResolutionUnit=3,
        ExifImageWidth=4000,
        ExifImageHeight=3000,
    ) == pytest.approx(300)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_photo_has_its_upright_size_and_the_same_focal_length(orientation: int) -> None:
    header = read_header(photo({"FocalLengthIn35mmFilm": 26}, orientation))
    size = (WIDE, TALL) if orientation <= 4 else (TALL, WIDE)
    assert header is not None
    assert (header.width, header.height, header.orientation) == (*size, orientation)
    assert header.focal_px == pytest.approx(26 * DIAGONAL / FILM_DIAGONAL)


def test_an_editor_may_turn_the_pixels_and_forget_to_swap_the_old_size() -> None:
    assert focal(FocalLengthIn35mmFilm=26, ExifImageWidth=3000, ExifImageHeight=4000) is not None


def test_a_cropped_photo_has_lost_its_focal_length() -> None:
    assert focal(FocalLengthIn35mmFilm=26, ExifImageWidth=4000, ExifImageHeight=4000) is None


@pytest.mark.parametrize("film_mm", [0, 1, 7, 900, 65535])
def test_an_unbelievable_focal_length_is_none(film_mm: int) -> None:
    assert focal(FocalLengthIn35mmFilm=film_mm) is None


def test_the_second_way_is_taken_when_the_first_is_nonsense() -> None:
    found = focal(
        FocalLengthIn35mmFilm=0,
        FocalLength=4.5,
        FocalPlaneXResolution=400 / 6 * 10,
        FocalPlaneResolutionUnit=3,
    )
    assert found == pytest.approx(300)


@pytest.mark.parametrize(
    "lens",
    [
        {"FocalLength": IFDRational(45, 0), "FocalPlaneXResolution": 667.0},
        {"FocalLength": 4.5, "FocalPlaneXResolution": IFDRational(0, 0)},
        {"FocalLength": 4.5, "FocalPlaneXResolution": 667.0, "FocalPlaneResolutionUnit": 9},
        {"FocalLength": 4.5},
    ],
)
def test_nonsense_is_no_focal_length(lens: Lens) -> None:
    assert focal(**lens) is None


@pytest.mark.parametrize("orientation", [0, 9, 65535])
def test_an_impossible_orientation_counts_as_upright(orientation: int) -> None:
    header = read_header(photo(orientation=orientation))
    assert header is not None
    assert header.orientation == 1


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_other_kinds_of_file_carry_it_too(kind: str) -> None:
    header = read_header(photo({"FocalLengthIn35mmFilm": 26}, kind=kind))
    assert header is not None
    assert header.focal_px == pytest.approx(26 * DIAGONAL / FILM_DIAGONAL)


@pytest.mark.parametrize("content", [b"", b"no picture at all", b"\xff\xd8\xff\xe1", b"GIF89a"])
def test_what_is_no_picture_has_no_header(content: bytes) -> None:
    assert read_header(content) is None


def test_a_missing_file_has_no_header(tmp_path: Path) -> None:
    assert read_header(tmp_path / "nowhere.jpg") is None


def test_a_file_on_disk_reads_as_its_content_does(tmp_path: Path) -> None:
    content = photo({"FocalLengthIn35mmFilm": 26}, orientation=6)
    file = tmp_path / "photo.jpg"
    file.write_bytes(content)
    assert read_header(file) == read_header(content) is not None


FULL = photo(
    {
        "FocalLengthIn35mmFilm": 26,
        "FocalLength": IFDRational(45, 10),
        "FocalPlaneXResolution": IFDRational(6670, 10),
        "ExifImageWidth": 4000,
        "ExifImageHeight": 3000,
    },
    orientation=6,
)


@given(
    damage=st.lists(st.tuples(st.integers(2, 260), st.integers(0, 255)), min_size=1, max_size=12),
    length=st.integers(0, len(FULL)),
)
def test_damaged_files_never_raise_and_never_give_an_absurd_lens(
    damage: list[tuple[int, int]], length: int
) -> None:
    content = bytearray(FULL)
    for place, value in damage:
        content[place] = value
    for file in (bytes(content), bytes(content[:length])):
        header = read_header(file)
        if header is not None and header.focal_px is not None:
            diagonal = hypot(header.width, header.height)
            assert 0.28 * diagonal <= header.focal_px <= 4 * diagonal
