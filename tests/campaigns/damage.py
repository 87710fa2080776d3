"""Damage as disks, wires and forgers do it: bits, bytes and blocks of a file, by chance."""

from collections.abc import Callable
from random import Random


def flipped(content: bytes, chance: Random) -> bytes:
    """A few bits turned over."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 8, 64))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def overwritten(content: bytes, chance: Random) -> bytes:
    """A block of noise, or of nothing."""
    start, end = _block(content, chance)
    noise = bytes(end - start) if chance.random() < 0.5 else chance.randbytes(end - start)
    return content[:start] + noise + content[end:]


def truncated(content: bytes, chance: Random) -> bytes:
    """Its end is missing."""
    return content[: chance.randrange(len(content))]


def prolonged(content: bytes, chance: Random) -> bytes:
    """Something more at its end, or before its beginning."""
    more = chance.choice((b"\0", b"\n", chance.randbytes(200), content))
    return content + more if chance.random() < 0.7 else more + content


def spliced(content: bytes, chance: Random) -> bytes:
    """A block of it over another, or between others."""
    start, end = _block(content, chance)
    place = chance.randrange(len(content))
    kept = place if chance.random() < 0.5 else place + end - start
    return content[:place] + content[start:end] + content[kept:]


def shortened(content: bytes, chance: Random) -> bytes:
    """A block is missing."""
    start, end = _block(content, chance)
    return content[:start] + content[end:]


def swapped(content: bytes, chance: Random) -> bytes:
    """Two blocks in each other's place."""
    a, b, c, d = sorted(chance.sample(range(len(content) + 1), 4))
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def another_number(content: bytes, chance: Random) -> bytes:
    """A digit of a text is another one."""
    digits = [place for place, byte in enumerate(content) if 0x30 <= byte <= 0x39]
    changed = bytearray(content)
    changed[chance.choice(digits)] = chance.choice(b"0123456789")
    return bytes(changed)


def untouched(content: bytes, _chance: Random) -> bytes:
    """Nothing happened."""
    return content


KINDS: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(flipped, overwritten, truncated, prolonged, spliced, shortened, swapped, another_number),
    untouched,
)


def _block(content: bytes, chance: Random) -> tuple[int, int]:
    start = chance.randrange(len(content))
    return start, min(len(content), start + chance.choice((1, 4, 60, 4096, 100_000)))
