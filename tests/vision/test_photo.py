import io
import struct
import subprocess
import sys
import zlib
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from vision.photo import MOST_BYTES, BadImageError, Photo, Picture, load_photo, upright
from vision.quality import blur_px, brightness, quality_warnings

SAMPLE = Path(__file__).parents[2] / "sample_images" / "01006.jpg"
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")


def gradient(width: int = 320, height: int = 240) -> Image.Image:
    """A picture that is different in every corner: red to the right, green down."""
    x, y = np.meshgrid(np.linspace(0, 255, width), np.linspace(0, 255, height))
    return Image.fromarray(np.stack([x, y, 0 * x + 40], axis=-1).astype(np.uint8))


@cache
def encoded(kind: str, width: int = 320, height: int = 240, **options: object) -> bytes:
    pillow_heif.register_heif_opener()
    if kind == "HEIF":
        options = {"enc_params": {"preset": "ultrafast"}, **options}
    return saved(gradient(width, height), kind, **options)


def saved(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_read(kind: str) -> None:
    photo = load_photo(encoded(kind))
    assert photo.size == (320, 240)
    assert photo.scale == 1.0
    assert photo.picture.shape == (240, 320, 3)
    blue, green, red = photo.picture[230, 310].astype(int)
    assert blue < 80
    assert green > 200
    assert red > 200


def test_a_photo_of_ours(tmp_path: Path) -> None:
    photo = load_photo(SAMPLE)
    assert photo.size == (1024, 768)
    assert photo.picture.shape == (384, 512, 3)
    assert photo.scale == 0.5
    assert quality_warnings(photo.picture) == ()
    assert np.array_equal(load_photo(SAMPLE.read_bytes()).picture, photo.picture)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("size", [(1024, 768), (768, 1024), (1000, 600), (2016, 1512), (513, 400)])
def test_large_photos_come_at_working_size(kind: str, size: tuple[int, int]) -> None:
    photo = load_photo(encoded(kind, *size))
    long_side = max(photo.picture.shape[:2])
    assert 470 <= long_side <= 560
    assert photo.size == size
    assert photo.scale == pytest.approx(long_side / max(size))
    corner = photo.to_original(np.array([photo.picture.shape[1] - 1.0, 0.0]))
    assert corner[0] == pytest.approx(size[0] - 1, abs=1.0 / photo.scale)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photos_are_turned_upright(kind: str, orientation: int) -> None:
    """As Pillow would turn them."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    content = saved(gradient(), kind, exif=exif)
    photo = load_photo(content)
    assert photo.size == ((320, 240) if orientation < 5 else (240, 320))
    transposed = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_270,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_90,
    }
    wanted = gradient() if orientation == 1 else gradient().transpose(transposed[orientation])
    off = np.abs(photo.picture[..., ::-1].astype(int) - np.asarray(wanted))
    assert off.mean() < 5


def test_an_upright_picture_stays() -> None:
    picture = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    assert np.array_equal(upright(picture, 1), picture)


def test_the_focal_length_is_scaled() -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = 26  # mm on 35 mm film
    photo = load_photo(saved(gradient(1024, 768), "JPEG", exif=exif))
    assert photo.focal_px == pytest.approx(26 / 43.27 * 640, rel=0.01)
    assert load_photo(encoded("JPEG")).focal_px is None


@pytest.mark.parametrize("mode", ["L", "LA", "P", "RGBA", "1", "I;16", "CMYK"])
def test_every_mode_becomes_color(mode: str) -> None:
    image = gradient()
    if mode == "I;16":
        grey = np.asarray(image.convert("L")).astype(np.uint16) * 257
        content = saved(Image.fromarray(grey))
    elif mode == "CMYK":
        content = saved(image.convert("CMYK"), "JPEG")
    else:
        content = saved(image.convert(mode))
    picture = load_photo(content).picture
    assert picture.shape == (240, 320, 3)
    assert picture.dtype == np.uint8
    assert picture[230, 310].astype(int).sum() > picture[5, 5].astype(int).sum()


def test_what_is_transparent_is_white() -> None:
    clear = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    assert load_photo(saved(clear)).picture.min() == 255


def chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png_claiming(width: int, height: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"GIF89a" + bytes(100), "JPEG, PNG, WebP or HEIC"),
        (b"%PDF-1.7", "JPEG, PNG, WebP or HEIC"),
        (b"\xff\xd8\xff", "damaged"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (b"RIFF\x00\x00\x00\x00WEBP", "damaged"),
        (b"\x00\x00\x00\x18ftypheic", "damaged"),
        (png_claiming(20_000, 20_000), "absurd size"),
        (png_claiming(9_000, 9_000), "81 megapixels"),
        (png_claiming(6_000, 100), "narrow"),
        (png_claiming(20, 20), "too small"),
        (png_claiming(800, 600), "damaged"),
        (b"\xff\xd8\xff" + bytes(MOST_BYTES), "too large"),
    ],
)
def test_what_is_no_photo_is_refused_in_words(content: bytes, says: str) -> None:
    with pytest.raises(BadImageError, match=says) as caught:
        load_photo(content)
    assert caught.value.text.endswith(".")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadImageError, match="no file"):
        load_photo(tmp_path / "none.jpg")
    with pytest.raises(BadImageError, match="cannot be read"):
        load_photo(tmp_path)
    with pytest.raises(BadImageError):
        load_photo("\0")


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_half_a_photo_is_no_photo(kind: str, share: float) -> None:
    content = encoded(kind)
    with pytest.raises(BadImageError):
        load_photo(content[: int(len(content) * share)])


def read_or_refused(content: bytes) -> None:
    try:
        photo = load_photo(content)
    except BadImageError:
        return
    assert isinstance(photo, Photo)
    assert photo.picture.dtype == np.uint8
    assert photo.picture.ndim == 3


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(FORMATS), st.data())
def test_damaged_files_are_read_or_refused(kind: str, data: st.DataObject) -> None:
    content = bytearray(encoded(kind))
    for _ in range(data.draw(st.integers(1, 12))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.one_of(st.none(), st.integers(0, len(content))))
    read_or_refused(bytes(content[:cut]))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(FORMATS), st.integers(0, 60), st.binary(max_size=200))
def test_rubbish_behind_a_good_start(kind: str, start: int, rubbish: bytes) -> None:
    read_or_refused(encoded(kind)[:start] + rubbish)


# The peak of this process alone: getrusage's counts what its parent had when it was started.
HUNGRY = """
import re, sys
from pathlib import Path
from vision.photo import load_photo, BadImageError
for file in sys.argv[1:]:
    try:
        load_photo(file)
    except BadImageError as error:
        assert "large" in error.text or "absurd" in error.text, error.text
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""


def peak_megabytes(folder: Path) -> int:
    """Memory of a process that reads all photos of a folder."""
    command = [sys.executable, "-c", HUNGRY, *sorted(map(str, folder.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_bombs_cost_nothing(tmp_path: Path) -> None:
    """No more than a small photo does."""
    (tmp_path / "small.png").write_bytes(encoded("PNG"))
    small = peak_megabytes(tmp_path)
    for size in (5_200, 9_000, 30_000, 2**31 - 1):
        (tmp_path / f"{size}.png").write_bytes(png_claiming(size, size))
    assert peak_megabytes(tmp_path) < small + 20


def test_a_printers_colours_are_read_up_to_a_smaller_size() -> None:
    content = io.BytesIO()
    Image.new("CMYK", (5200, 5200)).save(content, "JPEG")
    with pytest.raises(BadImageError, match="27 megapixels; at most 26 are read"):
        load_photo(content.getvalue())


@pytest.mark.slow
def test_the_largest_photos_fit_into_memory(tmp_path: Path) -> None:
    image = Image.new("RGB", (7200, 7200), (90, 120, 30))
    image.save(tmp_path / "a.jpg", progressive=True, subsampling=0)
    image = image.resize((5000, 5000))
    image.convert("CMYK").save(tmp_path / "b.jpg", progressive=True, subsampling=0)
    image.save(tmp_path / "a.webp", method=0)
    for mode in ("RGB", "RGBA", "P", "I;16"):
        image.convert("L" if mode == "I;16" else mode).convert(mode).save(tmp_path / f"{mode}.png")
    assert peak_megabytes(tmp_path) < 500


def smoothed(picture: Picture, sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.uint8)


def test_blur_is_measured_in_working_pixels() -> None:
    picture = load_photo(SAMPLE).picture
    measured = [blur_px(smoothed(picture, sigma)) for sigma in (1.0, 2.0, 3.0, 4.0)]
    assert measured == sorted(measured)
    assert quality_warnings(smoothed(picture, 4.0)) == ("blurred",)
    assert blur_px(np.full((64, 64, 3), 90, np.uint8)) == 0.0


def test_dark_photos_are_noticed() -> None:
    picture = load_photo(SAMPLE).picture
    assert brightness(picture) > 100
    assert "too_dark" in quality_warnings((picture * 0.1).astype(np.uint8))
