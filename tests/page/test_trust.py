"""What devices find out by themselves: the words they share, and a history that was changed."""

import json
import shutil
import sqlite3
import time
from collections.abc import Iterator
from hashlib import pbkdf2_hmac, sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from api.ledger.chain import Entry, canonical, linked
from api.ledger.fingerprint import fingerprint, words
from api.ledger.seals import commitment
from tests.page.conftest import free_port, serving
from tests.page.evening import CARDS, Evening
from tests.page.players import SOON, join, sealed
from tests.page.source import modules, text_of
from tests.page.test_board import run
from tests.page.visit import Visit
from tests.page.words import said

NO_SUBTLE = "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })"
"""As on http://192.168.…: browsers have no hashes there."""


def test_the_list_of_words_is_the_services() -> None:
    listed = text_of("trust/words.js").split("`")[1].split()
    assert tuple(listed) == words()


def test_nothing_needs_a_secure_page() -> None:
    code = "".join(text for path, text in modules().items() if path.startswith("trust/"))
    assert len(code) > 5_000
    for missing in ("crypto.subtle", "randomUUID", "navigator.locks"):
        assert missing not in code


@pytest.fixture(scope="module")
def script(service: str, browser: Browser) -> Iterator[Page]:
    with Visit(browser, service) as visit:
        visit.context.add_init_script(NO_SUBTLE)
        yield visit.open()


@pytest.mark.slow
def test_hashes_are_right(script: Page) -> None:
    """Of every length about a block's, with letters of more than a byte, and slow ones."""
    texts = ["x" * length for length in (0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1000)] + ["ü€😀"]
    made = run(script, "trust/sha256.js", "return values.map(m.sha256)", *texts)
    assert made == [sha256(text.encode()).hexdigest() for text in texts]
    for text in ("short", "long" * 50):
        slow = run(script, "trust/sha256.js", "return m.pbkdf2(...values)", text, "salt", 100)
        assert slow == pbkdf2_hmac("sha256", text.encode(), b"salt", 100).hex()
    hashes = [sha256(str(number).encode()).hexdigest() for number in range(50)]
    told = run(script, "trust/words.js", "return values.map(m.fingerprint)", *hashes)
    assert told == [fingerprint(one) for one in hashes]
    made = run(script, "trust/chain.js", "return m.commitmentOf(...values)", "t", 3, "d", "n")
    assert made == commitment("t", 3, "d", "n")


@pytest.mark.slow
def test_devices_make_the_words_together(service: str, browser: Browser) -> None:
    """Two devices on a page without https: the same words, and those of the evidence."""
    evening = Evening(service, ("Ada", "Ben")).opened()
    with Visit(browser, service) as tablet, Visit(browser, service, size="phone") as phone:
        evening.known_to(tablet.context)
        for visit in (tablet, phone):
            visit.context.add_init_script(NO_SUBTLE)
        host = tablet.open(f"/table/{evening.id}")
        ben = phone.open(f"/join/{evening.code}")
        join(ben, "Ben")
        committed(evening, 2)
        evening.locked(CARDS)
        shown = sealed(host)
        assert shown == sealed(ben)
        for page in (host, ben):
            took = said(page, "seal.took.other", told=2, n=2)
            expect(page.locator(".seal .note")).to_contain_text(took)
            expect(page.locator(".seal .note")).not_to_contain_text(said(page, "seal.notThis"))
        seal = evening.ask("GET", f"v1/tables/{evening.id}")["rounds"][0]["seal"]
        assert seal["words"].split() == shown
        assert seal["words"] != seal["fingerprint"]

        committed(evening, 4)
        ben.context.set_offline(True)
        evening.locked()
        took = said(host, "seal.took.other", told=1, n=2)
        expect(host.locator(".seal .note")).to_contain_text(took, timeout=SOON)
        alone = sealed(host)
        ben.context.set_offline(False)
        expect(ben.locator(".seal .note")).to_contain_text(said(ben, "seal.notThis"), timeout=SOON)
        assert sealed(ben) == alone
        assert tablet.complaints + phone.complaints == []


def committed(evening: Evening, count: int) -> None:
    """Wait until so many commitments stand in the history."""
    deadline = time.monotonic() + SOON / 1000
    while True:
        entries = evening.ask("GET", f"v1/tables/{evening.id}/ledger")["entries"]
        if sum(entry["kind"] == "share_committed" for entry in entries) >= count:
            return
        assert time.monotonic() < deadline, "no device takes part"
        time.sleep(0.2)


def rewrite(data: Path, table: str) -> None:
    """Change the first tray in the database, and make all hashes right again."""
    with sqlite3.connect(data / "trayscore.db") as database:
        database.row_factory = sqlite3.Row
        query = "SELECT * FROM entries WHERE table_id = ? ORDER BY sequence"
        rows = database.execute(query, (table,)).fetchall()
        head = rows[0]["previous"]
        for row in rows:
            body = json.loads(row["body"])
            if row["kind"] == "player_joined":
                body["player"] = "Ben"
            at = row["at"] + (0.5 if row["sequence"] == 2 else 0)
            files = tuple(json.loads(row["files"]))
            entry = linked(Entry(row["sequence"], at, row["actor"], row["kind"], body, files), head)
            database.execute(
                "UPDATE entries SET at = ?, body = ?, previous = ?, hash = ? "
                "WHERE table_id = ? AND sequence = ?",
                (at, canonical(body), head, entry.hash, table, entry.sequence),
            )
            head = entry.hash
        database.execute("UPDATE tables SET head = ? WHERE id = ?", (head, table))


def tamper(data: Path, table: str) -> None:
    """Change an entry and leave the hashes as they are."""
    with sqlite3.connect(data / "trayscore.db") as database:
        database.execute("UPDATE entries SET at = at + 1 WHERE table_id = ?", (table,))


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_device_tells_when_the_history_is_another(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    """Restarted as it was: nothing. An older backup, another history, a tampered one: all told."""
    data, backup, port = tmp_path / "data", tmp_path / "backup", free_port()
    with serving(data, port) as service:
        evening = Evening(service, ("Ada", "Ben")).opened()
        evening.locked(CARDS)
        visit = Visit(browser, service, language=language)
        evening.known_to(visit.context)
        page = visit.open(f"/table/{evening.id}")
        sealed(page)
        committed(evening, 1)
    shutil.copytree(data, backup)
    with serving(data, port):
        page.reload()
        sealed(page)
        expect(page.locator(".alarm")).to_have_count(0)
        evening.revealed()
        expect(page.locator(".table-cards .card")).to_have_count(6)
        followed(page, evening)
    shutil.rmtree(data)
    shutil.copytree(backup, data)
    with serving(data, port):
        page.reload()
        alarmed(page, "alarm.shorter")
        expect(page.locator(".alarm")).to_contain_text(said(page, "alarm.until", n=1))
        accept(page)
    rewrite(data, evening.id)
    with serving(data, port):
        page.reload()
        alarmed(page, "alarm.rewritten")
        expect(page.locator(".alarm")).to_contain_text(said(page, "alarm.nothing"))
        show_score(page, evening)
        alarmed(page, "alarm.rewritten")
    tamper(data, evening.id)
    with serving(data, port):
        page.reload()
        expect(page.locator("main")).to_contain_text(said(page, "table.broken"), timeout=SOON)
    assert visit.complaints == []
    visit.context.close()


def followed(page: Page, evening: Evening) -> None:
    """Wait until the device keeps the newest head."""
    head = evening.ask("GET", f"v1/tables/{evening.id}")["ledger"]["head"]
    page.wait_for_function(
        "([key, head]) => JSON.parse(localStorage.getItem(key)).head === head",
        arg=[f"trayscore-seen {evening.id}", head],
    )


def alarmed(page: Page, key: str) -> None:
    expect(page.locator(".alarm h2")).to_contain_text(said(page, key), timeout=SOON)


def accept(page: Page) -> None:
    """All at the table agree to go on."""
    page.get_by_role("button", name=said(page, "alarm.accept")).click()
    page.get_by_role("button", name=said(page, "alarm.acceptYes")).click()
    expect(page.locator(".alarm")).to_have_count(0, timeout=SOON)


def show_score(page: Page, evening: Evening) -> None:
    page.evaluate("address => { location.hash = address }", f"/table/{evening.id}/score")
    expect(page.locator(".scores")).to_be_visible(timeout=SOON)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_the_tablet_says_for_others_is_shown_as_that(
    service: str, browser: Browser, language: str
) -> None:
    evening = Evening(service, ("Ada", "Ben")).opened()
    evening.locked(CARDS)
    evening.at("/disputes", {"round": 1, "player": "Ada", "card": CARDS[0]})
    with Visit(browser, service, language=language) as visit:
        evening.known_to(visit.context)
        page = visit.open(f"/table/{evening.id}/dispute/1")
        for player in evening.players:
            row = page.locator(".claim-row", has_text=player)
            row.get_by_role("button", name=said(page, "claims.firstPin")).click(timeout=SOON)
            page.locator(".pin input").fill("2718")
            page.locator(".pin button").click()
            spoken = said(page, "claims.forThem", player=player)
            expect(row).to_contain_text(spoken, timeout=SOON)
        names = {"en": "Ada and Ben", "de": "Ada und Ben"}[language]
        for_both = said(page, "dispute.spokenFor", players=names)
        expect(page.locator(".spoken-for")).to_have_text(for_both, timeout=SOON)
        page.get_by_role("button", name=said(page, "dispute.end.upheld")).click()
        expect(page.locator(".message .spoken-for")).to_have_text(for_both, timeout=SOON)
        assert visit.complaints == []
