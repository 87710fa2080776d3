"""Files that nobody should send: damaged, cut off, tiny, huge, grey, transparent, absurd.

None shows a tray with its colours, so a reader may only refuse them. All are made from the sample
images and from noise by chance, the same for the same seed.
"""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pillow_heif
from PIL import Image, PngImagePlugin

SAMPLES = Path(__file__).parents[2] / "sample_images"
TRAYS = ("01006.jpg", "01211.jpg", "02100.jpg", "02400.jpg", "02414.jpg", "lab-three-trays.jpg")
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")
MAGIC = (
    *(b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF\x10\x00\x00\x00WEBPVP8 "),
    *(b"\x00\x00\x00\x18ftypheic", b"GIF89a", b"BM", b"II*\x00", b"%PDF-1.7\n", b"PK\x03\x04"),
)

Rng = np.random.Generator


@dataclass(frozen=True)
class Specimen:
    """A file and what was done to it."""

    name: str
    content: bytes


def specimens(count: int, seed: int) -> Iterator[Specimen]:
    """So many files, each kind as often as the others."""
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        content = kind(np.random.default_rng((seed, number)))
        yield Specimen(f"{number:04d}-{kind.__name__.strip('_')}", content)


@cache
def sample(name: str, kind: str = "JPEG", size: tuple[int, int] | None = None) -> bytes:
    """A sample image as a file of this format."""
    pillow_heif.register_heif_opener()
    with Image.open(SAMPLES / name) as image:
        return saved(image.resize(size) if size else image, kind, quality=85)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def any_sample(rng: Rng) -> bytes:
    kind = str(rng.choice(FORMATS))
    trays = TRAYS[:1] if kind == "HEIF" else TRAYS  # encoding one takes seconds
    return sample(str(rng.choice(trays)), kind, (640, 480))


def noise(rng: Rng, width: int, height: int, mode: str = "RGB") -> Image.Image:
    """A picture of noise, coarse or fine, loud or faint."""
    bands = len(Image.new(mode, (1, 1)).getbands())
    cell = int(rng.integers(1, 40))
    rough = rng.integers(0, 256, (height // cell + 1, width // cell + 1, bands))
    grown = rough.repeat(cell, 0).repeat(cell, 1)[:height, :width] * rng.uniform(0.1, 1.0)
    pixels = grown.astype(np.uint8)
    flat = pixels[..., 0] if bands == 1 else pixels
    return Image.frombytes(mode, (width, height), flat.tobytes())


def side(rng: Rng, low: int = 64, high: int = 1200) -> int:
    return int(np.exp(rng.uniform(np.log(low), np.log(high))))


def corrupted(rng: Rng) -> bytes:
    """A photo of a tray with many of its bytes overwritten."""
    content = bytearray(any_sample(rng))
    share = float(np.exp(rng.uniform(np.log(0.002), np.log(0.5))))
    for place in rng.integers(0, len(content), max(40, int(share * len(content)))):
        content[place] = int(rng.integers(0, 256))
    return bytes(content)


def scrambled(rng: Rng) -> bytes:
    """A photo whose blocks of bytes changed places, went missing or came twice."""
    content = any_sample(rng)
    block = int(rng.integers(64, 2048))
    blocks = [content[i : i + block] for i in range(0, len(content), block)]
    head, rest = blocks[0], blocks[1:]
    order = rng.integers(0, len(rest), len(rest))
    return head + b"".join(rest[i] for i in order)


def truncated(rng: Rng) -> bytes:
    """A photo that ends too soon."""
    content = any_sample(rng)
    return content[: int(rng.uniform(0, 0.98) * len(content))]


def tiny(rng: Rng) -> bytes:
    """A few pixels."""
    size = int(rng.integers(1, 90)), int(rng.integers(1, 90))
    with Image.open(SAMPLES / str(rng.choice(TRAYS))) as image:
        small = image.resize(size) if rng.random() < 0.5 and min(size) < 64 else noise(rng, *size)
    return saved(small, str(rng.choice(FORMATS[:3])))


def narrow(rng: Rng) -> bytes:
    """A strip of noise."""
    long, short = int(rng.integers(400, 9000)), int(rng.integers(1, 66))
    size = (long, short) if rng.random() < 0.5 else (short, long)
    return saved(noise(rng, *size), "PNG")


def bomb(rng: Rng) -> bytes:
    """A small file that claims to be a huge picture, or that becomes one."""
    width, height = int(2 ** rng.uniform(12.5, 31)), int(2 ** rng.uniform(12.5, 31))
    kind = int(rng.integers(0, 4))
    if kind == 0:
        return png((min(width, 2**31 - 1), min(height, 2**31 - 1)), zlib.compress(bytes(10**6), 9))
    if kind == 1:
        content = bytearray(sample(TRAYS[0]))
        frame = content.index(b"\xff\xc0")
        content[frame + 5 : frame + 9] = struct.pack(">HH", height % 65500, width % 65500)
        return bytes(content)
    if kind == 2:
        content = bytearray(sample(TRAYS[0], "WEBP"))
        start = content.index(b"\x9d\x01\x2a")
        content[start + 3 : start + 7] = struct.pack("<HH", width % 16384, height % 16384)
        return bytes(content)
    flat = int(rng.integers(5200, 7000))
    return png((flat, flat), _zeros(flat))


@cache
def _zeros(flat: int) -> bytes:
    return zlib.compress(bytes((3 * flat + 1) * flat // 4), 9)


def png(size: tuple[int, int], data: bytes, depth: int = 8, color: int = 2) -> bytes:
    """A PNG of this size in its header, whatever its data."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    head = struct.pack(">IIBBBBB", *size, depth, color, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def large(rng: Rng) -> bytes:
    """As many pixels as are still read, of one colour and a little noise."""
    color = tuple(int(value) for value in rng.integers(0, 256, 3))
    size = int(rng.integers(2500, 5000)), int(rng.integers(2500, 5000))
    image = Image.new("RGB", size, color)
    image.paste(noise(rng, 640, 480), (int(rng.integers(0, 1800)), int(rng.integers(0, 1800))))
    return saved(image, "JPEG", quality=int(rng.integers(5, 60)), progressive=rng.random() < 0.3)


def grey(rng: Rng) -> bytes:
    """No colour: grey paper, grey noise, a tray in black and white."""
    kind = int(rng.integers(0, 4))
    width, height = side(rng), side(rng)
    if kind == 0:
        image = Image.new("RGB", (width, height), (int(rng.integers(0, 256)),) * 3)
    elif kind == 1:
        image = noise(rng, width, height, "L")
    else:
        with Image.open(SAMPLES / str(rng.choice(TRAYS))) as photo:
            image = photo.convert("L") if kind == 2 else photo.convert("L").convert("RGB")
    return saved(image, str(rng.choice(FORMATS[:3])))


def sixteen_bits(rng: Rng) -> bytes:
    """Sixteen bits of grey a pixel."""
    pixels = rng.integers(0, 65536, (side(rng), side(rng))).astype(np.uint16)
    if rng.random() < 0.5:
        with Image.open(SAMPLES / str(rng.choice(TRAYS))) as photo:
            pixels = np.asarray(photo.convert("L")).astype(np.uint16) * 257
    return saved(Image.fromarray(pixels), "PNG")


def transparent(rng: Rng) -> bytes:
    """Nothing to be seen: a tray behind an alpha of nought, or half a fog of noise."""
    if rng.random() < 0.5:
        with Image.open(SAMPLES / str(rng.choice(TRAYS))) as photo:
            image = photo.convert("RGBA")
        image.putalpha(0)
    else:
        image = noise(rng, side(rng), side(rng), str(rng.choice(["RGBA", "LA"])))
    return saved(image, "PNG" if image.mode == "LA" else str(rng.choice(["PNG", "WEBP"])))


def palette(rng: Rng) -> bytes:
    """Few colours, one of them transparent; or only black and white."""
    image = noise(rng, side(rng), side(rng))
    if rng.random() < 0.3:
        return saved(image.convert("1"), "PNG")
    flat = image.quantize(int(rng.integers(2, 256)))
    return saved(flat, "PNG", transparency=int(rng.integers(0, 2)))


def cmyk(rng: Rng) -> bytes:
    """Noise for a printer."""
    return saved(noise(rng, side(rng), side(rng), "CMYK"), "JPEG")


def animated(rng: Rng) -> bytes:
    """A film of noise; the photo of a tray in a format that only films have."""
    frames = [noise(rng, 160, 120) for _ in range(int(rng.integers(2, 9)))]
    kind = str(rng.choice(["PNG", "WEBP", "GIF"]))
    if kind == "GIF":
        with Image.open(SAMPLES / str(rng.choice(TRAYS))) as photo:
            return saved(photo.resize((320, 240)), "GIF")
    return saved(frames[0], kind, save_all=True, append_images=frames[1:], duration=20)


def rubbish(rng: Rng) -> bytes:
    """Bytes by chance behind the first ones of some format; or nothing at all."""
    start = MAGIC[int(rng.integers(0, len(MAGIC)))] if rng.random() < 0.8 else b""
    return start + rng.bytes(int(rng.integers(0, 5000)))


def mislabelled(rng: Rng) -> bytes:
    """The data of one format behind the header of another."""
    first, second = rng.choice(FORMATS, 2, replace=False)
    head = sample(TRAYS[0], str(first), (640, 480))[: int(rng.integers(4, 600))]
    return head + sample(TRAYS[0], str(second), (640, 480))


def monstrous_metadata(rng: Rng) -> bytes:
    """Noise with notes that are absurd: EXIF that bites its tail, profiles, texts of a megabyte."""
    image = noise(rng, side(rng, 64, 500), side(rng, 64, 500))
    kind = int(rng.integers(0, 4))
    if kind == 0:
        return saved(image, "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0" + rng.bytes(400))
    if kind == 1:  # a directory whose next one is itself
        loop = b"\x01\0" + struct.pack("<HHII", 0x0112, 3, 1, 77777) + b"\x08\0\0\0"
        return saved(image, "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0" + loop)
    if kind == 2:
        return saved(image, "JPEG", icc_profile=rng.bytes(200_000), comment=rng.bytes(60_000))
    notes = PngImagePlugin.PngInfo()
    notes.add_text("bomb", "0" * 40_000_000, zip=True)
    return saved(image, "PNG", pnginfo=notes)


def not_a_photo(rng: Rng) -> bytes:
    """Texts and drawings by other names."""
    texts = ("", "\0", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<html>", '{"photo": 1}', "🀄")
    return str(rng.choice(texts)).encode() * int(rng.integers(1, 2000))


KINDS: tuple[Callable[[Rng], bytes], ...] = (
    *(corrupted, truncated, tiny, bomb, grey, transparent, scrambled, sixteen_bits),
    *(cmyk, animated, rubbish, palette, monstrous_metadata, mislabelled, narrow, not_a_photo),
    *(corrupted, truncated, large, scrambled),
)
