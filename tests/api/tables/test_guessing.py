"""Nobody finds out a PIN or a code by trying, also many at once; nobody else waits for that."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from api.problems import Problem
from api.storage.store import Store
from api.tables import guessing, joining
from api.tables.guessing import (
    KNOWN_S,
    MOST_FROM_ADDRESS,
    MOST_IN_ALL,
    MOST_STUBBORN,
    WINDOW_S,
    CodeGuesses,
)
from api.tables.secrets import pin_fits
from tests.api.tables.house import At, House, house, refused

AT_ONCE = 40


def at_once(ask: Callable[[int], Any], times: int = AT_ONCE) -> list[Any]:
    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(ask, range(times)))


def answers(got: list[Any]) -> Counter[str]:
    return Counter(answer.json().get("code", "done") for answer in got)


def test_many_wrong_pins_at_once_are_five_tries(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url, requests_per_token=AT_ONCE) as at:
        host = at.open("Ada")
        host.do("/players/Ada/pin", {"pin": "1234"})

        def change(number: int) -> Any:
            asked = {"pin": "0000", "old_pin": str(5000 + number)}
            return host.ask("POST", "/players/Ada/pin", json=asked)

        assert answers(at_once(change)) == {"wrong_pin": 5, "pin_rests": AT_ONCE - 5}
        at.clock.at += 601
        assert answers(at_once(change)) == {"wrong_pin": 5, "pin_rests": AT_ONCE - 5}
        at.clock.at += 601
        host.do("/players/Ada/pin", {"pin": "0000", "old_pin": "1234"})


def test_a_right_pin_forgives_the_wrong_ones(at: House) -> None:
    host = at.open("Ada")
    host.do("/players/Ada/pin", {"pin": "1234"})
    for _ in range(3):
        for _ in range(4):
            wrong = {"pin": "1234", "old_pin": "9999"}
            refused(host.ask("POST", "/players/Ada/pin", json=wrong), 403, "wrong_pin")
        host.do("/players/Ada/pin", {"pin": "1234", "old_pin": "1234"})


def test_a_try_counts_even_if_the_request_fails(
    tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def falls(*_: object) -> bool:
        raise ConnectionError("the machine was switched off at this very moment")

    with house(tmp_path, database_url) as at:
        host = at.open("Ada")
        host.do("/players/Ada/pin", {"pin": "1234"})
        asked = {"pin": "0000", "old_pin": "9999"}
        with monkeypatch.context() as broken:
            broken.setattr(joining, "pin_fits", falls)
            for _ in range(5):
                with pytest.raises(ConnectionError):
                    host.ask("POST", "/players/Ada/pin", json=asked)
        refused(host.ask("POST", "/players/Ada/pin", json=asked), 429, "pin_rests")


def test_who_knew_the_last_pin_does_not_change_the_next(
    tmp_path: Path, database_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player sets a new PIN while the host, who saw the old one, is about to."""
    fits = pin_fits
    with house(tmp_path, database_url) as at:
        host = at.open("Ada")
        host.do("/players/Ada/pin", {"pin": "1234"})
        ada = host.joined("Ada")

        def meanwhile(pin: str, kept: str) -> bool:
            monkeypatch.setattr(joining, "pin_fits", fits)
            ada.do("/players/Ada/pin", {"pin": "7777"})
            return fits(pin, kept)

        monkeypatch.setattr(joining, "pin_fits", meanwhile)
        late = {"pin": "0000", "old_pin": "1234"}
        refused(host.ask("POST", "/players/Ada/pin", json=late), 409, "stale")
        host.do("/players/Ada/pin", {"pin": "8888", "old_pin": "7777"})


def test_the_same_request_at_once_joins_once(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as at:
        for number in range(5):
            host = at.open("Ada")
            keyed = {"Idempotency-Key": f"join {number}"}
            path = f"/v1/tables/{host.code}/join"

            def join(_: int, path: str = path, keyed: dict[str, str] = keyed) -> Any:
                return at.client.post(path, json={"player": "Ada"}, headers=keyed)

            got = at_once(join, 8)
            assert {answer.status_code for answer in got} == {200}
            assert len({answer.json()["player_token"] for answer in got}) == 1


def test_of_many_who_would_be_the_same_player_one_is(
    tmp_path: Path, database_url: str | None
) -> None:
    with house(tmp_path, database_url) as at:
        host = at.open("Ada")
        path = f"/v1/tables/{host.code}/join"
        got = at_once(lambda _: at.client.post(path, json={"player": "Ada"}), 12)
        assert answers(got) == {"done": 1, "already_joined": 11}


def test_the_same_table_is_opened_once(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as at:
        keyed = {"Idempotency-Key": "open"}
        asked = {"players": ["Ada"]}
        got = at_once(lambda _: at.client.post("/v1/tables", json=asked, headers=keyed), 12)
        assert len({tuple(answer.json().items()) for answer in got}) == 1, answers(got)


def test_the_same_token_is_made_once(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as at:
        host = at.open("Ada")
        keyed = {"Idempotency-Key": "again"}
        got = at_once(lambda _: host.ask("POST", "/players/Ada/token", headers=keyed), 12)
        (token,) = {answer.json()["player_token"] for answer in got}
        assert At(at, host.id, host.code, token).state()["you"]["player"] == "Ada"
        kinds = [entry["kind"] for entry in host.do("/ledger", method="GET")["entries"]]
        assert kinds.count("token_reissued") == 1


def test_wrong_codes_at_once_are_counted(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as at:
        got = at_once(lambda n: at.client.get(f"/v1/tables/{code(n)}/lobby"), 60)
        assert answers(got) == {"no_table": MOST_FROM_ADDRESS, "codes_rest": 30}
        answer = at.client.post(f"/v1/tables/{code(99)}/join", json={"player": "Ada"})
        problem = refused(answer, 429, "codes_rest")
        assert answer.headers["retry-after"] in problem["detail"]
        assert 0 < int(answer.headers["retry-after"]) <= WINDOW_S
        at.clock.at += WINDOW_S + 1
        refused(at.client.get(f"/v1/tables/{code(1)}/lobby"), 404, "no_table")


def test_thirty_devices_behind_one_address_join_whatever_their_neighbour_does(
    tmp_path: Path,
) -> None:
    with house(tmp_path) as at:
        hosts = [at.open("Ada", "Ben", "Cleo") for _ in range(10)]
        for number in range(MOST_FROM_ADDRESS + 5):
            at.client.get(f"/v1/tables/{code(number)}/lobby")
        for host in hosts:
            for name in ("Ada", "Ben", "Cleo"):
                assert at.client.get(f"/v1/tables/{host.code}/lobby").status_code == 200
                host.joined(name)


_LETTERS = "ABCDEFGHJKMN"


def code(number: int) -> str:
    """A code that no table has, for all but one in a hundred million."""
    return "ZZZZ" + _LETTERS[number // 12 % 12] + _LETTERS[number % 12]


NOW = 1_800_000_000.0


class Codes:
    """Codes that are tried, from here and there."""

    def __init__(self) -> None:
        self._guesses = CodeGuesses()
        self.now = NOW
        self._wrong = (f"wrong {number}" for number in count())

    def right(self, address: str, right: str = "RIGHT") -> bool:
        """Whether the right code gets in."""
        return self._tried(address, right, "a table") == "a table"

    def wrong(self, address: str) -> bool:
        """Whether a wrong code is looked at."""
        return self._tried(address, next(self._wrong), None) is None

    def opened(self, address: str) -> None:
        """A table is opened there."""
        self._guesses.opened(address, "RIGHT", self.now)

    def wait(self, address: str) -> int:
        """The seconds that somebody with a wrong code is told to wait."""
        with pytest.raises(Problem) as refusal:
            self._guesses.look(address, "wrong", self.now, lambda: None)
        return int((refusal.value.headers or {})["Retry-After"])

    def _tried(self, address: str, tried: str, found: str | None) -> str | None:
        self.now += 0.001
        try:
            return self._guesses.look(address, tried, self.now, lambda: found)
        except Problem as problem:
            return problem.code


def test_an_address_waits_no_longer_than_it_has_to() -> None:
    codes = Codes()
    assert all(codes.wrong("192.0.2.1") for _ in range(MOST_FROM_ADDRESS))
    assert not codes.wrong("192.0.2.1")
    assert not codes.right("192.0.2.1")
    assert codes.right("192.0.2.2")
    codes.now += codes.wait("192.0.2.1")
    codes.now += WINDOW_S - 599  # the tries that were refused count, too
    assert codes.right("192.0.2.1")


def test_right_codes_do_not_buy_wrong_ones() -> None:
    """A guesser opens a table of their own and shows its code between two guesses."""
    codes = Codes()
    codes.opened("192.0.2.1")
    looked = 0
    for _ in range(200):
        looked += codes.wrong("192.0.2.1")
        codes.right("192.0.2.1")
    assert looked == MOST_FROM_ADDRESS


def test_a_code_of_the_house_passes_but_cannot_be_found_out() -> None:
    codes = Codes()
    codes.opened("192.0.2.1")
    for _ in range(MOST_STUBBORN - 1):
        codes.wrong("192.0.2.1")
    assert codes.right("192.0.2.1")
    assert not codes.right("192.0.2.1", "OTHER")
    for _ in range(5):
        codes.wrong("192.0.2.1")
    assert not codes.right("192.0.2.1")
    codes.now += WINDOW_S + 1
    assert codes.right("192.0.2.1")


def test_an_attack_from_everywhere_is_slowed_and_locks_nobody_out() -> None:
    codes = Codes()
    codes.opened("203.0.113.9")
    looked = sum(codes.wrong(f"2001:0db8:0001:{n:04x}") for n in range(5 * MOST_IN_ALL))
    assert looked == MOST_IN_ALL
    assert codes.right("198.51.100.1")  # who knows the code gets in
    assert codes.wrong("198.51.100.2")  # or mistypes it once
    assert not codes.right("198.51.100.3")  # and then waits a while
    assert codes.right("198.51.101.3")
    for _ in range(5):  # who plays here may mistype more often
        assert codes.wrong("203.0.113.9")
    codes.now += codes.wait("198.51.100.3")
    assert codes.right("198.51.100.3")


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "_MOST_KEPT", 200)
    codes = Codes()
    for number in range(1000):
        codes.opened(f"house {number}")
        codes.wrong(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(codes._guesses._known) <= 200
    assert len(codes._guesses._wrong) <= 200
    codes.now += KNOWN_S + 1
    assert not codes._guesses._knows("house 999", "RIGHT", codes.now)


def test_counts_are_kept_where_the_pins_are(tmp_path: Path, database_url: str | None) -> None:
    with house(tmp_path, database_url) as at:
        host = at.open("Ada")
        host.do("/players/Ada/pin", {"pin": "1234"})
        wrong = {"pin": "0000", "old_pin": "9999"}
        for _ in range(5):
            host.ask("POST", "/players/Ada/pin", json=wrong)
    with house(tmp_path, database_url) as at:
        assert isinstance(at.store, Store)
        again = At(at, host.id, host.code, host.token)
        refused(again.ask("POST", "/players/Ada/pin", json=wrong), 429, "pin_rests")
