"""Opening a table, joining it, coming back to it, deleting it."""

import pytest

from tests.api.tables.house import House, refused


def test_a_table_is_opened_and_joined(at: House) -> None:
    host = at.open("Ada", "Ben")
    ada = host.joined("Ada")
    state = ada.state()
    assert state["you"] == {"role": "player", "player": "Ada"}
    assert host.state()["you"] == {"role": "host", "player": None}
    assert [player["joined"] for player in state["players"]] == [True, False]
    assert state["settings"]["seed"] is None
    assert state["code"] == host.code
    assert len(state["ledger"]["fingerprint"].split()) == 6


def test_codes_are_read_as_people_type_them(at: House) -> None:
    host = at.open("Ada")
    typed = f" {host.code[:3].lower()}-{host.code[3:].lower()}"
    answer = at.client.post(f"/v1/tables/{typed}/join", json={"player": "Ada"})
    assert answer.status_code == 200
    assert set(host.code) <= set("ABCDEFGHJKMNPQRSTUVWXYZ")
    assert len(host.code) == 6


def test_a_lobby_tells_who_can_join(at: House) -> None:
    host = at.open("Ada", "Ben")
    host.joined("Ben")
    lobby = at.client.get(f"/v1/tables/{host.code}/lobby").json()
    assert lobby == {
        "table": host.id,
        "players": [{"name": "Ada", "joined": False}, {"name": "Ben", "joined": True}],
    }


@pytest.mark.parametrize("code", ["AAAAAA", "nonsense", "%00", "%27%20OR%201", "💥"])
def test_a_wrong_code_leads_nowhere(at: House, code: str) -> None:
    at.open()
    refused(at.client.post(f"/v1/tables/{code}/join", json={"player": "Ada"}), 404, "no_table")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"players": ["A", "B", "C", "D", "E"]}, "bad_players"),
        ({"players": ["Ada", "Ada"]}, "bad_players"),
        ({"players": []}, "bad_request"),
        ({"players": ["a/b"]}, "bad_request"),
        ({"players": [".."]}, "bad_request"),
        ({"players": ["Ada"], "edition": "fr"}, "bad_request"),
        ({"players": ["Ada"], "cards_per_round": 7}, "bad_request"),
        ({"players": ["Ada"], "hourglass": 30}, "bad_request"),
        ({"players": ["Ada"], "deck": ["touch:BK"]}, "bad_deck"),
        ({"players": ["Ada"], "deck": ["touch:BX"]}, "bad_card"),
    ],
)
def test_what_is_no_table(at: House, asked: object, code: str) -> None:
    refused(at.client.post("/v1/tables", json=asked), 422, code)


def test_a_tray_that_nobody_knows(at: House) -> None:
    asked = {"players": ["Ada"], "tray": "../secret"}
    refused(at.client.post("/v1/tables", json=asked), 404, "no_such_tray")
    assert at.open("Ada", tray="disc").state()["settings"]["tray"] == "disc"


def test_a_fifth_player_cannot_sit_down(at: House) -> None:
    host = at.open("Ada", "Ben", "Cleo", "Dan")
    answer = at.client.post(f"/v1/tables/{host.code}/join", json={"player": "Eve"})
    assert "Ada, Ben, Cleo, Dan" in refused(answer, 404, "unknown_player")["detail"]


def test_nobody_sits_down_twice_but_the_host_helps(at: House) -> None:
    host = at.open("Ada")
    ada = host.joined("Ada")
    again = at.client.post(f"/v1/tables/{host.code}/join", json={"player": "Ada"})
    refused(again, 409, "already_joined")
    refused(ada.ask("POST", "/players/Ada/token"), 403, "host_only")
    token = host.do("/players/Ada/token")["player_token"]
    refused(ada.ask("GET"), 403, "wrong_token")
    ada.token = token
    assert ada.state()["you"]["player"] == "Ada"
    kinds = [entry["kind"] for entry in ada.do("/ledger", method="GET")["entries"]]
    assert kinds == ["table_opened", "player_joined", "token_reissued"]


def test_tokens_are_of_one_table_only(at: House) -> None:
    one, other = at.open("Ada"), at.open("Ada")
    one.token = other.token
    refused(one.ask("GET"), 403, "wrong_token")
    one.token = other.joined("Ada").token
    refused(one.ask("GET"), 403, "wrong_token")
    one.token = ""
    answer = one.ask("GET")
    refused(answer, 401, "no_token")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_only_the_host_hosts(at: House) -> None:
    host = at.open("Ada", "Ben")
    ada = host.joined("Ada")
    refused(ada.ask("POST", "/rounds", json={}), 403, "host_only")
    host.reveal()
    refused(ada.ask("POST", "/rounds/1/hourglass", json={"action": "start"}), 403, "host_only")
    refused(ada.ask("POST", "/rounds/1/lock"), 403, "host_only")
    refused(ada.ask("POST", "/finish"), 403, "host_only")
    refused(ada.ask("DELETE"), 403, "host_only")


def test_a_deleted_table_is_gone(at: House) -> None:
    host = at.open("Ada")
    assert host.ask("DELETE").status_code == 204
    refused(host.ask("GET"), 404, "no_table")
    refused(host.ask("DELETE"), 404, "no_table")
    refused(at.client.get(f"/v1/tables/{host.code}/lobby"), 404, "no_table")


def test_a_pin_is_changed_by_who_knows_it(at: House) -> None:
    host = at.open("Ada", "Ben")
    ben = host.joined("Ben")
    assert host.do("/players/Ada/pin", {"pin": "1234"})["pin"]
    refused(ben.ask("POST", "/players/Ada/pin", json={"pin": "5555"}), 403, "not_your_tray")
    refused(host.ask("POST", "/players/Ada/pin", json={"pin": "5555"}), 403, "old_pin_needed")
    wrong = {"pin": "5555", "old_pin": "9999"}
    refused(host.ask("POST", "/players/Ada/pin", json=wrong), 403, "wrong_pin")
    host.do("/players/Ada/pin", {"pin": "5555", "old_pin": "1234"})
    ada = host.joined("Ada")
    ada.do("/players/Ada/pin", {"pin": "7777"})
    assert [player["pin"] for player in host.state()["players"]] == [True, False]


def test_pins_cannot_be_tried_out(at: House) -> None:
    host = at.open("Ada")
    host.do("/players/Ada/pin", {"pin": "1234"})
    wrong = {"pin": "0000", "old_pin": "9999"}
    for _ in range(5):
        refused(host.ask("POST", "/players/Ada/pin", json=wrong), 403, "wrong_pin")
    right = {"pin": "0000", "old_pin": "1234"}
    answer = host.ask("POST", "/players/Ada/pin", json=right)
    refused(answer, 429, "pin_rests")
    assert 0 < int(answer.headers["retry-after"]) <= 601
    at.clock.at += 601
    host.do("/players/Ada/pin", right)
