"""Damaged bundles and photos by the thousand: none is taken for whole, none upsets anything."""

import json
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.api.tables.house import A, B, house, photo
from tests.campaigns.damage import KINDS, untouched
from tests.campaigns.sizes import size
from tests.vision.fuzz_files import specimens

BUNDLES = size(300, 7000)
PHOTOS = size(60, 3000)
SEED = 11
PATIENCE_S = 300.0
"""What takes longer hangs, however busy the machine is that tests."""
MOST_S = 10.0
BUNDLE_MB, PHOTO_MB = 300, 600
OLD = Path(__file__).parents[1] / "api" / "evidence" / "data" / "bundle-1.zip"

_WORKER = """
import json, re, sys, time
from pathlib import Path
{imports}
for line in sys.stdin:
    path = Path(line.strip())
    begun = time.process_time()
    said = {said}
    taken = time.process_time() - begun
    peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
    print(json.dumps([said, int(peak) // 1024, taken]), flush=True)
"""
VERIFIER = _WORKER.format(
    imports="from api.evidence.verify import verify",
    said="[*verify(path).problems]",
)
READER = _WORKER.format(
    imports="""
import cv2
from api.photos.cleaning import cleaned
from api.photos.uncleanable import UncleanableError
from vision.dimension.reader import Reader
cv2.setNumThreads(1)
reader = Reader()
def read(content):
    try:
        return reader.read(cleaned(content).content).status
    except UncleanableError:
        return "bad_image"
""",
    said="read(path.read_bytes())",
)
"""As a photo is sent in: cleaned, then read."""


@dataclass
class Worker:
    """A process that is asked about files, one after the other, and what it took."""

    process: subprocess.Popen[str]
    most_mb: int
    peak_mb: int = 0
    slowest_s: float = 0.0
    answers: "Counter[str]" = field(default_factory=Counter)

    def ask(self, path: Path, name: str) -> Any:
        """What it says of a file, within its limits."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{path}\n")
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE_S)
        assert ready, f"{name} hangs"
        line = self.process.stdout.readline()
        assert line, f"{name} ends the process"
        said, peak, taken = json.loads(line)
        self.peak_mb, self.slowest_s = max(self.peak_mb, peak), max(self.slowest_s, taken)
        assert peak <= self.most_mb, name
        assert taken <= MOST_S, name
        return said

    def __str__(self) -> str:
        return f"at most {self.peak_mb} MB and {self.slowest_s:.2f} s; {dict(self.answers)}"


@contextmanager
def worker(script: str, most_mb: int) -> Iterator[Worker]:
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True, bufsize=1) as process:
        try:
            yield Worker(process, most_mb)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """A small bundle of today, and one of the first format."""
    with house(tmp_path_factory.mktemp("house")) as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        host.photographed(1, "Ada", A, photo(1))
        host.submit(1, "Ben", B)
        host.lock(1)
        return [host.ask("GET", "/evidence.zip").content, OLD.read_bytes()]


@pytest.mark.slow
def test_no_damaged_bundle_is_taken_for_whole(
    bundles: list[bytes], tmp_path: Path, tell: Callable[[str], None]
) -> None:
    path = tmp_path / "evidence.zip"
    with worker(VERIFIER, BUNDLE_MB) as verifier:
        for number in range(BUNDLES):
            chance = Random(f"{SEED} {number}")
            damage = KINDS[number % len(KINDS)]
            content = bundles[number % 10 == 0]
            changed = damage(content, chance)
            path.write_bytes(changed)
            problems = verifier.ask(path, f"{number} {damage.__name__}")
            assert (not problems) == (changed == content), (number, damage.__name__)
            assert all(problem.isprintable() and problem[-1] in ".…" for problem in problems)
            verifier.answers["intact" if not problems else "told"] += 1
    assert verifier.answers["intact"] >= BUNDLES // len(KINDS)
    assert untouched in KINDS
    tell(f"{BUNDLES} bundles: {verifier}")


@pytest.mark.slow
def test_every_damaged_photo_is_refused(tmp_path: Path, tell: Callable[[str], None]) -> None:
    with worker(READER, PHOTO_MB) as reader:
        for specimen in specimens(PHOTOS, SEED):
            path = tmp_path / specimen.name
            path.write_bytes(specimen.content)
            status = reader.ask(path, specimen.name)
            path.unlink()
            assert status in ("bad_image", "no_tray"), specimen.name
            reader.answers[status] += 1
    tell(f"{PHOTOS} photos: {reader}")
