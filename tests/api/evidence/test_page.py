"""The page in a bundle: all that a history says is text, whatever it says; no script can run."""

import re
from base64 import b64encode
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pytest

from api.evidence.archive import archive
from api.evidence.bundle import ledger_text, parse_ledger
from api.evidence.page import page
from api.evidence.unpacking import unpack
from api.evidence.verify import verify
from api.ledger.chain import Entry
from api.problems import Problem
from tests.api.evidence.recorded import Recorded, relinked
from tests.api.tables.house import A, B, house, photo

EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>"
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "div", "section"),
    *("code", "span", "b", "ul", "li", "a", "img", "table", "tr", "th", "td", "details"),
    *("summary", "pre"),
}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "href", "src", "alt"}


class Tags(HTMLParser):
    """All tags of a page, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def assert_harmless(text: str) -> None:
    for tag, attributes in Tags(text).found:
        assert tag in TAGS
        assert set(attributes) <= ATTRIBUTES
        for name in ("href", "src"):
            if name in attributes:
                assert (attributes[name] or "").startswith("files/")


def poisoned(value: Any) -> Iterator[Any]:
    """The value with one of its texts made evil, each in turn."""
    if isinstance(value, dict):
        for name, inner in value.items():
            for changed in poisoned(inner):
                yield {**value, name: changed}
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            for changed in poisoned(inner):
                yield [*value[:place], changed, *value[place + 1 :]]
    elif isinstance(value, str):
        yield value + EVIL


def test_names_and_reasons_are_only_text(tmp_path: Path) -> None:
    evil = "<i onload=x>&\"'"
    with house(tmp_path / "house") as at:
        host = at.open(evil, "Ben")
        host.reveal()
        host.photographed(1, evil, A, photo(1))
        host.submit(1, "Ben", B)
        asked = {"seats": {"C": "W"}, "reason": EVIL}
        host.do("/rounds/1/trays/Ben", asked, method="PATCH")
        host.lock(1)
        host.do("/disputes", {"round": 1, "player": evil, "seat": "A", "text": EVIL})
        path = tmp_path / "evidence.zip"
        path.write_bytes(host.ask("GET", "/evidence.zip").content)
    found = verify(path)
    assert (found.problems, found.notes) == ((), ())
    assert_harmless(found.page)
    assert EVIL not in found.page
    assert "&lt;script&gt;" in found.page


def assert_only_text(recorded: Recorded, changes: list[tuple[int, Any]]) -> int:
    """How many of these changed entries the page could show at all, harmless all of them."""
    rows, shown = recorded.rows(), 0
    entries = [Entry(**{**row, "files": tuple(row["files"])}) for row in rows]
    for place, changed in changes:
        evil = Entry(**{**changed, "files": tuple(changed["files"])})
        try:
            text = page(recorded.table, [*entries[:place], evil, *entries[place + 1 :]], {})
        except (Problem, ValueError, KeyError, IndexError, TypeError, StopIteration):
            continue  # no table can be made of it
        shown += 1
        assert "<script" not in text
        assert "<img src=x" not in text
    return shown


def poisoned_entries(recorded: Recorded) -> list[tuple[int, Any]]:
    rows = recorded.rows()
    return [(place, changed) for place, row in enumerate(rows) for changed in poisoned(row)]


def test_what_an_entry_says_is_only_text(recorded: Recorded) -> None:
    """Also in histories that the rules refuse. Some texts by chance; the slow test takes all."""
    changes = Random(3).sample(poisoned_entries(recorded), 30)
    assert assert_only_text(recorded, changes) > 5


@pytest.mark.slow
def test_whatever_an_entry_says_is_only_text(recorded: Recorded) -> None:
    assert assert_only_text(recorded, poisoned_entries(recorded)) > 400


def test_names_of_files_are_only_text(recorded: Recorded) -> None:
    entries = parse_ledger(recorded.text).entries
    suffixes = {digest: f"jpg{EVIL}" for entry in entries for digest in entry.files}
    assert_harmless(page(f"t{EVIL}", entries, suffixes))


def test_the_page_lets_no_script_run(recorded: Recorded) -> None:
    text = page(recorded.table, parse_ledger(recorded.text).entries, {})
    tags = Tags(text).found
    policies = [a["content"] for tag, a in tags if a.get("http-equiv") == "Content-Security-Policy"]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    (policy,) = policies
    rules = dict(rule.strip().split(" ", 1) for rule in (policy or "").split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["style-src"] == f"'sha256-{digest}'"
    assert "script-src" not in rules
    assert text.index("Content-Security-Policy") < text.index("<style")


def bundle_with(recorded: Recorded, tmp_path: Path, **changes: bytes) -> Path:
    path = tmp_path / "evidence.zip"
    path.write_bytes(recorded.bundle)
    with path.open("rb") as file:
        found = unpack(file)
    content, place, files = recorded.bundle, 0, []
    for name, inside in found.files.items():
        place += len(inside.packed.header)
        files.append((name, content[place : place + inside.packed.size]))
        place += inside.packed.size
    named = {"page": "index.html", "ledger": "ledger.json"}
    for key, changed in changes.items():
        files = [(name, changed if name == named[key] else old) for name, old in files]
    path.write_bytes(b"".join(archive(files)))
    return path


def test_a_page_that_shows_something_else_is_told(recorded: Recorded, tmp_path: Path) -> None:
    assert verify(bundle_with(recorded, tmp_path)).intact
    problems = verify(bundle_with(recorded, tmp_path, page=b"<h1>Ben won</h1>")).problems
    assert problems == ("Its page (index.html) does not show what the history says.",)


def test_nobody_gets_around_that_by_naming_another_program(
    recorded: Recorded, tmp_path: Path
) -> None:
    """It used to be enough to change the program's name beside the history."""
    for old, new in (
        (b'"format":"trayscore-evidence/2"', b'"format":"trayscore-evidence/1","program":"9"'),
        (b'"format":"trayscore-evidence/2"', b'"format":"trayscore-evidence/2","program":"9"'),
    ):
        with (tmp_path / "plain.zip").open("wb+") as file:
            file.write(recorded.bundle)
            file.seek(0)
            ledger = unpack(file).texts["ledger.json"]
        changed = ledger.replace(old, new)
        assert changed != ledger
        path = bundle_with(recorded, tmp_path, page=b"<h1>Ben won</h1>", ledger=changed)
        assert not verify(path).intact


def test_another_versions_page_is_not_relied_on(recorded: Recorded, tmp_path: Path) -> None:
    rows = deepcopy(recorded.rows())
    programs = [row for row in rows if row["kind"] == "program_changed"]
    programs[-1]["body"]["program"]["code"] = "another one"
    linked = relinked(recorded.table, rows)
    ledger = parse_ledger(recorded.text)
    entries = [Entry.from_json(row) for row in linked]
    text = ledger_text(
        replace(ledger, entries=entries, head=None, fingerprint=None, program=None)
    ).encode()
    found = verify(bundle_with(recorded, tmp_path, page=b"<h1>Ben won</h1>", ledger=text))
    assert found.intact
    assert "do not rely on it" in found.notes[-1]
    assert "Ben won" not in found.page


@pytest.mark.parametrize("name", ["bundle-1.zip", "ledger-1.json"])
def test_evidence_of_the_first_format_stays_intact(name: str) -> None:
    found = verify(Path(__file__).parent / "data" / name)
    assert found.intact
    assert found.format == "trayscore-evidence/1"
    assert found.entries == 52
    assert "before Trayscore noted its own version" in found.notes[0]


def test_a_page_of_the_first_format_is_not_relied_on() -> None:
    """Nothing in its history says which program should have made it."""
    found = verify(Path(__file__).parent / "data" / "bundle-1.zip")
    assert "do not rely on it" in found.notes[-1]
    assert "Content-Security-Policy" in found.page
