"""Whatever is sent to the reader, it answers: in time, within its memory, with a refusal."""

import json
import select
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import IO

import numpy as np
import pytest
from PIL import Image

from tests.campaigns.sizes import size
from tests.vision.fuzz_files import (
    KINDS,
    SAMPLES,
    TRAYS,
    palette,
    sample,
    saved,
    scrambled,
    specimens,
)
from vision.dimension.reader import Reader
from vision.photo import BadImageError, load_photo

SEED = 20
PATIENCE_S = 300.0
"""What takes longer hangs, however busy the machine is that tests."""
MOST_S = 10.0
"""Of the processor's time; hardly a file takes one second."""
MOST_MB = 600

READER = """
import json, re, sys, time
from pathlib import Path
import cv2
from vision.dimension.reader import Reader
cv2.setNumThreads(1)
reader = Reader()
for line in sys.stdin:
    begun = time.process_time()
    status = reader.read(Path(line.strip())).status
    taken = time.process_time() - begun
    peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
    print(json.dumps([status, int(peak) // 1024, taken]), flush=True)
"""


def answer(pipe: IO[str], name: str) -> str:
    """The status that the reader gives a file, within its limits of time and memory."""
    ready, _, _ = select.select([pipe], [], [], PATIENCE_S)
    assert ready, f"{name} hangs"
    line = pipe.readline()
    assert line, f"{name} ends the process"
    status, peak, taken = json.loads(line)
    assert peak <= MOST_MB, name
    assert taken <= MOST_S, name
    return str(status)


def campaign(folder: Path, count: int) -> Counter[tuple[str, str]]:
    """Feed files to a reader in a process of its own; how often each kind had each answer."""
    answers: Counter[tuple[str, str]] = Counter()
    command = [sys.executable, "-c", READER]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True, bufsize=1) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        try:
            for specimen in specimens(count, SEED):
                file = folder / specimen.name
                file.write_bytes(specimen.content)
                reader.stdin.write(f"{file}\n")
                status = answer(reader.stdout, specimen.name)
                assert status in ("bad_image", "no_tray"), specimen.name
                answers[specimen.name.partition("-")[2], status] += 1
                file.unlink()
        finally:
            reader.kill()
    return answers


def test_sixty_absurd_files_are_refused(tmp_path: Path) -> None:
    answers = campaign(tmp_path, 60)
    assert sum(answers.values()) == 60
    assert {kind for kind, _ in answers} == {kind.__name__ for kind in KINDS}


@pytest.mark.slow
@pytest.mark.campaign
def test_hundreds_of_absurd_files_are_refused(tmp_path: Path) -> None:
    count = size(small=400, full=2000)
    answers = campaign(tmp_path, count)
    assert sum(answers.values()) == count
    statuses = Counter(status for _, status in answers.elements())
    assert min(statuses.values()) > count / 10  # both answers


def test_coloured_squares_are_no_tray() -> None:
    """These were taken for one: noise has edges wherever one looks for them."""
    assert Reader().read(palette(np.random.default_rng((SEED, 271)))).status == "no_tray"


def test_a_view_with_everything_outside_the_picture_is_no_tray() -> None:
    """A scrambled photo led to one, and the reader to look for edges where there were none."""
    assert Reader().read(scrambled(np.random.default_rng((11, 2119)))).status == "no_tray"


@pytest.mark.parametrize("name", TRAYS[:3])
def test_a_tray_in_black_and_white_is_refused_in_words(name: str) -> None:
    with Image.open(SAMPLES / name) as photo:
        found = Reader().read(saved(photo.convert("L"), "JPEG"))
    assert (found.status, found.layout) == ("bad_image", None)
    assert "black and white" in found.message


def damaged(content: bytes, flips: int, seed: int) -> bytes:
    """The file with some bytes of its compressed data overwritten."""
    rng, changed = np.random.default_rng(seed), bytearray(content)
    for place in rng.integers(content.index(b"\xff\xda") + 20, len(content) - 2, flips):
        changed[place] = int(rng.integers(0, 256))
    return bytes(changed)


def is_refused(content: bytes) -> bool:
    try:
        load_photo(content)
    except BadImageError:
        return True
    return False


def test_jpegs_with_damaged_data_are_refused() -> None:
    """Not all: a few overwritten bytes may leave a valid file, of a slightly other picture."""
    content = sample(TRAYS[0])
    assert sum(is_refused(damaged(content, 12, seed)) for seed in range(20)) >= 18
    assert not is_refused(content)


def test_jpegs_that_some_phones_write_are_read() -> None:
    content = sample(TRAYS[0])
    scan = content.index(b"\xff\xda")
    spectral_end = scan + 2 + int.from_bytes(content[scan + 2 : scan + 4], "big") - 2
    odd = bytearray(content)
    odd[spectral_end] = 0  # as Samsung's do
    padded = content[:-2] + b"\0\0" + content[-2:]
    followed = content + b"a film of two seconds" * 1000
    table = content.index(b"\xff\xdb")
    between = content[:table] + b"\0\0\0\0" + content[table:]
    for changed in (bytes(odd), padded, followed, between):
        assert np.array_equal(load_photo(changed).picture, load_photo(content).picture)
