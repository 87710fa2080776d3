"""Bundles that nobody should open: each is answered by one sentence, soon and in little memory."""

import json
import os
import resource
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest

from api.cli import main
from api.evidence.archive import LOCAL, Packed, archive, directory
from api.evidence.verify import verify
from api.ledger.chain import Entry, genesis, linked

DATA = Path(__file__).parent / "data"
BUNDLE = DATA / "bundle-1.zip"
LEDGER = DATA / "ledger-1.json"

MOST_S = 10
MOST_MB = 300
GIB = 2**30


def sparse(path: Path, beginning: bytes, size: int) -> None:
    """A file that is huge and takes no room."""
    with path.open("wb") as file:
        file.write(beginning)
        file.truncate(size)


def bomb(path: Path) -> None:
    """A gigabyte of nothing, packed into a megabyte."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed,
        packed.open("ledger.json", "w", force_zip64=True) as file,
    ):
        for _ in range(64):
            file.write(bytes(1 << 24))


def nested(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.write(BUNDLE, "bundle-1.zip")


def encrypted(path: Path) -> None:
    content = bytearray(BUNDLE.read_bytes())
    content[6] |= 1
    path.write_bytes(content)


def many(path: Path) -> None:
    """More files than a game has, each of them empty."""
    path.write_bytes(b"".join(archive((f"files/{n:064x}.jpg", b"") for n in range(60_000))))


def four_gigabytes_claimed(path: Path) -> None:
    path.write_bytes(Packed("ledger.json", 0, 2**32 - 1).header + b"{}")


def four_gigabytes(path: Path) -> None:
    sparse(path, Packed("index.html", 0, 2**32 - 1).header, 4 * GIB + 100)


def nearly_a_gigabyte(path: Path) -> None:
    sparse(path, Packed("index.html", 0, 10**9 - 1000).header, 10**9)


def huge_ledger(path: Path) -> None:
    sparse(path, Packed("ledger.json", 0, GIB // 2).header, GIB // 2 + 100)


def huge_text(path: Path) -> None:
    sparse(path, b'{"format":"', GIB // 2)


def twice(path: Path) -> None:
    """Two files of one name: which one would be unpacked?"""
    path.write_bytes(b"".join(archive([("ledger.json", b"{}"), ("ledger.json", b"[]")])))


def overlapping(path: Path) -> None:
    """A directory with rows that all point to one place."""
    file = Packed("ledger.json", crc32(b"{}"), 2)
    rows = b"".join(file.listed(0) for _ in range(1000))
    path.write_bytes(file.header + b"{}" + rows + directory([file])[-22:])


def one_file(name: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        header = bytearray(Packed("x" * len(name), 0, 0).header)
        header[-len(name) :] = name
        path.write_bytes(header + directory([Packed("x" * len(name), 0, 0)]))

    return make


def symlink(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        link = zipfile.ZipInfo("ledger.json")
        link.external_attr = 0o120777 << 16
        packed.writestr(link, "/etc/passwd")


def with_ledger(text: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(b"".join(archive([("index.html", b""), ("ledger.json", text)])))

    return make


def told(value: str) -> bytes:
    """A ledger with an entry whose body holds this."""
    facts = '"sequence":1,"at":1.0,"actor":"host","kind":"table_opened","files":[]'
    chain = f'"previous":"{"0" * 64}","hash":"{"0" * 64}"'
    return rows_of(f'{{{facts},{chain},"body":{{"event":{value}}}}}', 1)


def chained(value: str) -> bytes:
    """The same with right hashes: it is replayed."""
    row = json.loads(told(value))["entries"][0]
    bound = linked(Entry.from_json(row), genesis("t"))
    return rows_of(json.dumps(bound.to_json()), 1)


def rows_of(row: str, count: int) -> bytes:
    rows = ",".join([row] * count)
    return f'{{"format":"trayscore-evidence/2","table":"t","entries":[{rows}]}}'.encode()


def plain(text: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(text)

    return make


@dataclass(frozen=True)
class Hostile:
    """A file, and a part of what is said to it."""

    make: Callable[[Path], None]
    words: str


HOSTILE = {
    "bomb": Hostile(bomb, "another program packed it"),
    "nested": Hostile(nested, "another program packed it"),
    "encrypted": Hostile(encrypted, "encrypted"),
    "many": Hostile(many, "more than 10000 files"),
    "4 GB claimed": Hostile(four_gigabytes_claimed, "Its ledger.json is larger than 8 MB"),
    "4 GB": Hostile(four_gigabytes, "--large"),
    "1 GB": Hostile(nearly_a_gigabyte, "index.html was changed."),
    "huge ledger": Hostile(huge_ledger, "Its ledger.json is larger than 8 MB"),
    "huge text": Hostile(huge_text, "larger than 8 MB"),
    "twice": Hostile(twice, "ledger.json is in it twice."),
    "overlapping": Hostile(overlapping, "The archive itself was changed"),
    "traversal": Hostile(one_file(b"../../etc/passwd"), "The archive itself was changed"),
    "odd name": Hostile(one_file(b"led\x1b[31m.json"), "a file's name cannot be"),
    "name in another encoding": Hostile(one_file(b"\xfc\xff.json"), "a file's name cannot be"),
    "name of a kilometre": Hostile(one_file(b"n" * 60_000), "a file's name cannot be"),
    "symlink": Hostile(symlink, "another program packed it"),
    "no files": Hostile(plain(directory([])), "cannot be read as evidence"),
    "only a mark": Hostile(plain(LOCAL), "cut off"),
    "nothing": Hostile(plain(b""), "cannot be read as evidence"),
    "no text": Hostile(with_ledger(b"\xff\xfe\x00"), "no text in UTF-8"),
    "deep": Hostile(with_ledger(b"[" * 4_000_000), "more parts than any game's"),
    "deep enough": Hostile(with_ledger(b"[" * 900_000), "nested too deep"),
    "deep in a body": Hostile(with_ledger(chained("[" * 700 + "]" * 700)), "Entry 1"),
    "deep objects": Hostile(with_ledger(chained('{"a":' * 900 + "1" + "}" * 900)), "Entry 1"),
    "many parts": Hostile(with_ledger(told("[" + "[]," * 900_000 + "0]")), "more parts"),
    "many rows": Hostile(with_ledger(rows_of("[]", 400_000)), "its entries are none"),
    "a long number": Hostile(with_ledger(told("9" * 1_000_000)), "Its ledger cannot be read"),
    "a large number": Hostile(with_ledger(chained("9" * 4000)), "Entry 1"),
    "no number": Hostile(with_ledger(told("NaN")), "NaN is no number"),
    "infinity": Hostile(with_ledger(told("-Infinity")), "-Infinity is no number"),
    "a name twice": Hostile(with_ledger(told('{"a":1,"a":2}')), "a name is there twice"),
    "half a character": Hostile(with_ledger(chained('"\\ud800"')), "Entry 1"),
    "a control character": Hostile(with_ledger(chained('"\\u001b[2J"')), "Entry 1"),
    "another format": Hostile(with_ledger(b'{"format":"trayscore-evidence/99"}'), "newer"),
    "no object": Hostile(with_ledger(b"[]"), "no ledger"),
}


TAKES_SECONDS = ("1 GB", "bomb", "many", "many rows", "many parts")


@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in TAKES_SECONDS])
def test_a_hostile_bundle_is_answered_by_a_sentence(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "evidence.zip"
    HOSTILE[name].make(path)
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().err
    assert HOSTILE[name].words in said
    assert "Traceback" not in said
    assert all(line.isprintable() for line in said.splitlines())
    assert main(["verify", "--json", str(path)]) == 1
    assert json.loads(capsys.readouterr().out)["intact"] is False


def limited() -> None:
    """For a process: no more processor time and memory than promised."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_S, MOST_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*HOSTILE, "intact"])
def test_it_takes_little_time_and_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "evidence.zip"
    if name == "intact":
        path.write_bytes(BUNDLE.read_bytes())
    else:
        HOSTILE[name].make(path)
    script = (
        "import re, sys; from api.cli import main; status = main(['verify', sys.argv[1]]); "
        "peak = re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]; "
        "print('peak', int(peak) // 1024); sys.exit(status)"
    )
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, preexec_fn=limited, timeout=300
    )
    assert done.returncode == (0 if name == "intact" else 1), done.stderr
    assert "Traceback" not in done.stderr
    assert int(done.stdout.split()[-1]) <= MOST_MB
    if name != "intact":
        assert HOSTILE[name].words in done.stderr
        assert len(done.stderr.splitlines()) <= 2


def test_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe, Path("/dev/zero"), tmp_path / "none"):
        assert main(["verify", str(path)]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
        assert not verify(path).intact
    locked = tmp_path / "loop"
    locked.symlink_to(locked)
    assert main(["verify", str(locked)]) == 2


def test_a_link_to_a_bundle_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link.zip"
    link.symlink_to(BUNDLE)
    assert verify(link).intact


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(content: bytes) -> Path:
        path = tmp_path / "changed.zip"
        path.write_bytes(content)
        return path

    return write


def test_a_declared_size_is_not_believed(changed: Callable[[bytes], Path]) -> None:
    content = bytearray(BUNDLE.read_bytes())
    for place in (18, 22):
        content[place : place + 4] = struct.pack("<I", 2**32 - 1)
    assert verify(changed(bytes(content))).problems == (
        "The archive is cut off within index.html.",
    )
