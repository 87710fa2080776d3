"""Requests that come twice, out of date, or at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.api.tables.house import A, At, B, House, house, photo, refused
from tests.vision.dimension.readings import make_reading

KEY = {"Idempotency-Key": "7d0c4e0e-2b0f"}


def test_opening_again_opens_nothing_new(at: House) -> None:
    asked = {"players": ["Ada"], "hourglass_s": 61}
    first = at.client.post("/v1/tables", json=asked, headers=KEY)
    again = at.client.post("/v1/tables", json=asked, headers=KEY)
    assert (again.status_code, again.json()) == (201, first.json())
    other = at.client.post("/v1/tables", json={**asked, "edition": "de"}, headers=KEY)
    refused(other, 422, "idempotency_mismatch")
    unkeyed = at.client.post("/v1/tables", json=asked)
    assert unkeyed.json()["id"] != first.json()["id"]


def test_joining_again_gives_the_same_token(at: House) -> None:
    host = at.open("Ada", "Ben")
    path = f"/v1/tables/{host.code}/join"
    first = at.client.post(path, json={"player": "Ada"}, headers=KEY)
    assert at.client.post(path, json={"player": "Ada"}, headers=KEY).json() == first.json()
    refused(at.client.post(path, json={"player": "Ben"}, headers=KEY), 422, "idempotency_mismatch")


def test_each_command_is_done_once(at: House) -> None:
    host = at.open("Ada", "Ben")
    for path, asked in (
        ("/rounds", {}),
        ("/rounds/1/hourglass", {"action": "start"}),
        ("/rounds/1/trays/Ada", {"layout": A}),
        ("/rounds/1/trays/Ben", {"layout": B}),
        ("/players/Ben/token", None),
        ("/players/Ben/pin", {"pin": "1234"}),
        ("/rounds/1/lock", None),
        ("/disputes", {"round": 1, "player": "Ada", "seat": "C"}),
        ("/disputes/1/consent", {"layout": B, "player": "Ben", "pin": "1234"}),
        ("/disputes/1/resolve", {"outcome": "upheld"}),
    ):
        key = {"Idempotency-Key": f"key of {path}"}
        first = host.ask("POST", path, json=asked, headers=key)
        assert first.status_code < 300, first.text
        version = host.state()["version"]
        again = host.ask("POST", path, json=asked, headers=key)
        assert (again.status_code, again.json()) == (first.status_code, first.json())
        assert host.state()["version"] == version
        other = host.ask("POST", path, json={**(asked or {}), "x": 1}, headers=key)
        assert other.status_code == 422 or asked is None


def test_a_photo_sent_again_is_not_read_again(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    at.readers.show(photo(50), make_reading(A))
    first = host.send(1, "Ada", photo(50), headers=KEY)
    read = len(at.readers.asked)
    again = host.send(1, "Ada", photo(50), headers=KEY)
    assert (again.status_code, again.json()) == (201, first.json())
    assert len(at.readers.asked) == read
    refused(host.send(1, "Ada", photo(51), headers=KEY), 422, "idempotency_mismatch")


def test_keys_outlive_a_restart(tmp_path: Path, database_url: str | None) -> None:
    asked = {"players": ["Ada"]}
    with house(tmp_path, database_url) as before:
        first = before.client.post("/v1/tables", json=asked, headers=KEY).json()
        host = At(before, first["id"], first["code"], first["host_token"])
        cards = host.do("/rounds", {}, headers=KEY)
    with house(tmp_path, database_url) as after:
        assert after.client.post("/v1/tables", json=asked, headers=KEY).json() == first
        host.house = after
        assert host.do("/rounds", {}, headers=KEY) == cards


def test_a_refused_request_may_be_sent_again(at: House) -> None:
    host = at.open("Ada")
    refused(host.ask("POST", "/rounds/1/lock", headers=KEY), 404, "no_round")
    host.reveal()
    host.submit(1, "Ada", A)
    assert host.ask("POST", "/rounds/1/lock", headers=KEY).status_code == 200


def test_keys_are_visible_characters(at: House) -> None:
    host = at.open("Ada")
    for key in ("", "x" * 201, "tab\tkey"):
        answer = host.ask("POST", "/rounds", json={}, headers={"Idempotency-Key": key})
        refused(answer, 422, "bad_idempotency_key")


def test_what_is_meant_for_an_older_table_is_refused(at: House) -> None:
    host = at.open("Ada", "Ben")
    etag = host.ask("GET").headers["etag"]
    host.do("/rounds", {}, headers={"If-Match": etag})
    late = host.ask("POST", "/rounds", json={}, headers={"If-Match": etag})
    refused(late, 412, "stale")
    refused(host.ask("POST", "/finish", headers={"If-Match": "x"}), 422, "bad_version")


def at_once(ask: Any, times: int) -> list[Any]:
    with ThreadPoolExecutor(times) as threads:
        return [future.result() for future in [threads.submit(ask) for _ in range(times)]]


def test_two_hosts_at_once(at: House) -> None:
    host = at.open("Ada")
    answers = at_once(lambda: host.ask("POST", "/rounds", json={}), 4)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert {a.json()["code"] for a in answers if a.status_code == 409} == {"round_open"}
    host.submit(1, "Ada", A)
    locks = at_once(lambda: host.ask("POST", "/rounds/1/lock"), 3)
    assert sorted(answer.status_code for answer in locks) == [200, 409, 409]
    assert [one["kind"] for one in host.do("/ledger", method="GET")["entries"]].count(
        "round_locked"
    ) == 1


def test_one_key_many_times_at_once(at: House) -> None:
    asked = {"players": ["Ada", "Ben"], "hourglass_s": 77}
    key = {"Idempotency-Key": "all at once"}
    answers = at_once(lambda: at.client.post("/v1/tables", json=asked, headers=key), 4)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1


def test_many_submit_at_once(at: House) -> None:
    host = at.open("Ada", "Ben", "Cleo", "Dan")
    host.reveal()
    for number, player in enumerate(("Ada", "Ben", "Cleo", "Dan")):
        at.readers.show(photo(60 + number), make_reading(A))
        host.keys[player] = str(60 + number)

    def send(player: str) -> int:
        return int(host.send(1, player, photo(int(host.keys[player]))).status_code)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(send, host.keys)) == [201] * 4
    host.lock(1)
    ledger = host.do("/ledger", method="GET")["entries"]
    assert [entry["sequence"] for entry in ledger] == list(range(1, len(ledger) + 1))
