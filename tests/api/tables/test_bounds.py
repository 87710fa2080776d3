"""Nobody fills the disk by doing the same thing over and over; all that is kept is counted."""

from pathlib import Path
from typing import Any

import pytest

from api.tables import bounds, service
from tests.api.tables.house import A, At, B, House, house, photo, refused
from tests.api.tables.test_start_photos import WIDE


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with small numbers, which is faster."""
    monkeypatch.setattr(bounds, "MOST", {"dispute_opened": 3, "tray_set": 4, "pin_set": 4})
    monkeypatch.setattr(bounds, "MOST_ALIKE", 5)
    monkeypatch.setattr(bounds, "MOST_UNUSED", 6)


def until_too_many(ask: Any, most: int) -> Any:
    """Do it as often as it may be done, and once more; the answer to that."""
    for number in range(most):
        answer = ask(number)
        assert answer.status_code < 300, answer.text
    return refused(ask(most), 409, "too_many")


def playing(at: House) -> At:
    host = at.open("Ada", "Ben")
    host.reveal()
    host.submit(1, "Ada", A)
    host.submit(1, "Ben", B)
    return host


def test_a_tray_is_corrected_so_often_in_a_round(at: House) -> None:
    host = playing(at)

    problem = until_too_many(lambda n: _seat(host, "Ada", n), 5)
    assert "5 times that the tray of Ada was corrected in round 1" in problem["detail"]
    host.submit(1, "Ada", A)  # sending it anew does not start the count anew
    refused(_seat(host, "Ada", 0), 409, "too_many")
    assert _seat(host, "Ben", 0).status_code == 200  # what others may do is their own
    host.lock(1)
    host.reveal(None)
    host.submit(2, "Ada", A)
    assert _seat(host, "Ada", 0, 2).status_code == 200


def _seat(host: At, player: str, number: int, round_: int = 1) -> Any:
    seats = {"A": [None, "W"][number % 2]} if player == "Ada" else {"A": "W"}
    asked = {"seats": seats, "reason": f"look {number}"}
    return host.ask("PATCH", f"/rounds/{round_}/trays/{player}", json=asked)


def test_a_tray_is_sent_in_so_often_in_a_round(at: House) -> None:
    host = at.open("Ada", "Ben")
    host.reveal()
    path = "/rounds/1/trays/Ada"
    until_too_many(lambda n: host.ask("POST", path, json={"layout": (A, B)[n % 2]}), 5)
    assert host.ask("POST", "/rounds/1/trays/Ben", json={"layout": A}).status_code == 201


def test_pins_tokens_and_trays_are_set_so_often(at: House) -> None:
    host = at.open("Ada", "Ben")
    ada = host.joined("Ada")
    until_too_many(lambda _: ada.ask("POST", "/players/Ada/pin", json={"pin": "1234"}), 4)
    until_too_many(lambda _: host.ask("POST", "/players/Ada/token"), 5)
    until_too_many(lambda _: host.ask("POST", "/tray", json={"tray": "disc"}), 4)
    start = at.readers.start(photo(4711), WIDE)
    files = [("photos", ("start.jpg", start, "image/jpeg"))]
    until_too_many(lambda _: host.ask("POST", "/players/Ben/tray", files=files), 4)


def test_nobody_uses_up_the_disputes_of_others(at: House) -> None:
    host = playing(at)
    ben = host.joined("Ben")
    asked = {"round": 1, "player": "Ada", "seat": "C"}

    def doubt(who: At) -> Any:
        answer = who.ask("POST", "/disputes", json=asked)
        if answer.status_code == 201:
            who.do(f"/disputes/{answer.json()['id']}/resolve", {"outcome": "upheld"})
        return answer

    until_too_many(lambda _: doubt(ben), 3)
    assert doubt(host).status_code == 201


def test_nobody_uses_up_the_word_of_another(at: House) -> None:
    host = playing(at)
    ada, ben = host.joined("Ada"), host.joined("Ben")
    number = ben.do("/disputes", {"round": 1, "player": "Ada", "seat": "C"})["id"]
    path = f"/disputes/{number}/consent"
    until_too_many(lambda n: ben.ask("POST", path, json={"layout": (A, B)[n % 2]}), 5)
    assert ada.ask("POST", path, json={"layout": A}).status_code == 200


def test_requests_that_change_nothing_are_not_kept_without_end(at: House) -> None:
    host = playing(at)
    asked = {"seats": {"C": A[0]}}

    def correct(number: int, key: bool = True) -> Any:
        headers = {"Idempotency-Key": f"nothing {number}"} if key else {}
        return host.ask("PATCH", "/rounds/1/trays/Ada", json=asked, headers=headers)

    length = host.state()["version"]
    until_too_many(correct, length + 6 + 1)
    assert correct(0).status_code == 200  # what was answered is answered again
    assert correct(0, key=False).status_code == 200
    assert host.state()["version"] == length


def test_reasons_and_doubts_are_short(at: House) -> None:
    host = playing(at)
    asked = {"seats": {"A": None}, "reason": "x" * 401}
    refused(host.ask("PATCH", "/rounds/1/trays/Ada", json=asked), 422, "bad_request")
    doubt = {"round": 1, "player": "Ada", "seat": "C", "text": "x" * 401}
    refused(host.ask("POST", "/disputes", json=doubt), 422, "bad_request")


def test_entries_and_answers_count_against_the_disk_limit(
    tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MOST_ALIKE", 10_000)
    monkeypatch.setattr(service, "_SPARE", 0)
    with house(tmp_path, database_url, disk_limit_mb=1) as at:
        at.client.app.state.tables._disk_limit = 400_000  # type: ignore[attr-defined]
        tables = [playing(at)]
        for number in range(1000):
            asked = {"seats": {"A": [None, "W"][number % 2]}, "reason": "é" * 400}
            headers = {"Idempotency-Key": str(number)}
            answer = tables[-1].ask("PATCH", "/rounds/1/trays/Ada", json=asked, headers=headers)
            if answer.status_code != 200:
                break
            if number % 20 == 19:
                opened = at.client.post("/v1/tables", json={"players": ["Ada", "Ben"]})
                assert opened.status_code in (201, 507)
        refused(answer, 507, "disk_full")
        assert int(answer.headers["retry-after"]) > 0
        refused(at.client.post("/v1/tables", json={"players": ["Ada"]}), 507, "disk_full")
        state = tables[0].state()
        assert state["ledger"]["length"] == state["version"]
        assert tables[0].ask("DELETE").status_code == 204  # makes room
        assert at.client.post("/v1/tables", json={"players": ["Ada"]}).status_code == 201


def test_a_table_with_more_than_that_goes_on(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as at, pytest.MonkeyPatch.context() as before:
        before.setattr(bounds, "MOST_ALIKE", 100)
        host = playing(at)
        for number in range(9):
            _seat(host, "Ada", number)
    with house(tmp_path, database_url) as at:
        again = At(at, host.id, host.code, host.token)
        refused(_seat(again, "Ada", 1), 409, "too_many")
        again.lock(1)
        assert again.state()["rounds"][0]["locked"]
