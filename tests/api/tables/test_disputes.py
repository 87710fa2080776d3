"""Disputes: opened, looked into, agreed upon, resolved."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.api.tables.house import CARDS, A, At, B, C, House, form, photo, refused
from tests.vision.dimension.readings import make_reading

OTHER = "GWWGBBO/O.K.K./."
"""Ada's tray as somebody else saw it: without the white sphere on top."""


@dataclass
class Seats:
    host: At
    ada: At
    ben: At


def seats(at: House, number: int = 100, **settings: Any) -> Seats:
    """A locked round: Ada by photo, in doubt about the top; Ben by hand."""
    host = at.open("Ada", "Ben", **settings)
    ada, ben = host.joined("Ada"), host.joined("Ben")
    host.reveal()
    ada.photographed(1, "Ada", A, photo(number), doubts={"A": 0.6}, alternatives={OTHER: 0.3})
    ben.submit(1, "Ben", B)
    host.lock(1)
    return Seats(host, ada, ben)


def about_the_top(by: At) -> Any:
    return by.do("/disputes", {"round": 1, "player": "Ada", "seat": "A", "text": "no white"})


def test_a_dispute_shows_all_there_is(at: House) -> None:
    table = seats(at)
    asked = {"round": 1, "player": "Ada", "card": "sum4:OW"}
    dispute = table.ben.do("/disputes", asked)
    assert (dispute["id"], dispute["status"], dispute["card"]) == (1, "open", "sum4:WO")
    assert dispute["opened_by"] == "player:Ben"
    assert dispute["verdict"]["fulfilled"] is False
    assert dispute["hangs_on"] == ["A"]
    assert dispute["reading"]["seats"]["A"]["p"] == 0.6
    assert dispute["doubt"]["cards"]["sum4:WO"] == pytest.approx(0.3)
    assert dispute["advice"]
    assert len(dispute["photos"]) == 1
    for picture in ("crop", "overlay"):
        answer = at.client.get(
            dispute[picture], headers={"Authorization": f"Bearer {table.ada.token}"}
        )
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "image/webp"
    state = table.ada.state()
    assert state["disputes"] == [dispute]
    assert table.ada.do("/disputes/1", method="GET") == dispute
    assert state["rounds"][0]["frozen"]


def test_owner_and_opponent_correct_a_tray(at: House) -> None:
    table = seats(at)
    before = table.host.state()
    about_the_top(table.ben)
    resolve = {"outcome": "corrected"}
    path = "/disputes/1/resolve"
    refused(table.host.ask("POST", path, json=resolve), 409, "consent_missing")
    table.ben.do("/disputes/1/consent", {"layout": OTHER})
    refused(table.host.ask("POST", path, json=resolve), 409, "consent_missing")
    table.ada.do("/disputes/1/consent", {"layout": A})
    refused(table.host.ask("POST", path, json=resolve), 409, "consent_missing")
    agreed = table.ada.do("/disputes/1/consent", {"layout": OTHER})
    assert agreed["agreement"] == {"layout": OTHER, "players": ["Ben", "Ada"]}
    done = table.ben.do(path, resolve)
    assert (done["status"], done["layout_after"]) == ("corrected", OTHER)
    assert (done["points_before"], done["points_after"]) == (9, 10)
    after = table.host.state()
    tray = after["rounds"][0]["trays"]["Ada"]
    assert tray["layout"] == OTHER
    assert tray["corrections"][-1]["dispute"] == 1
    assert not after["rounds"][0]["frozen"]
    assert after["standings"][0]["points"] == before["standings"][0]["points"] + 1
    assert [one["player"] for one in after["handovers"]] == ["Ada"]
    kinds = [entry["kind"] for entry in table.host.do("/ledger", method="GET")["entries"]]
    assert kinds[-5:] == ["dispute_opened", *["dispute_consent"] * 3, "dispute_resolved"]
    refused(table.host.ask("POST", path, json=resolve), 409, "dispute_resolved")
    late = table.ada.ask("POST", "/disputes/1/consent", json={"layout": A})
    refused(late, 409, "dispute_resolved")


def test_two_opponents_are_not_enough(at: House) -> None:
    host = at.open("Ada", "Ben", "Cleo")
    ben, cleo = host.joined("Ben"), host.joined("Cleo")
    host.reveal()
    for player, layout in (("Ada", A), ("Ben", B), ("Cleo", C)):
        host.submit(1, player, layout)
    host.lock(1)
    about_the_top(ben)
    for opponent in (ben, cleo):
        opponent.do("/disputes/1/consent", {"layout": OTHER})
    answer = host.ask("POST", "/disputes/1/resolve", json={"outcome": "corrected"})
    assert "Ada" in refused(answer, 409, "consent_missing")["detail"]


def test_pins_consent_on_a_shared_tablet(at: House) -> None:
    host = at.open("Ada", "Ben")
    for player, pin in (("Ada", "1111"), ("Ben", "2222")):
        host.do(f"/players/{player}/pin", {"pin": pin})
    host.reveal()
    host.submit(1, "Ada", A)
    host.submit(1, "Ben", B)
    host.lock(1)
    about_the_top(host)
    path = "/disputes/1/consent"
    refused(host.ask("POST", path, json={"layout": OTHER}), 403, "pin_needed")
    named = {"layout": OTHER, "player": "Ada"}
    refused(host.ask("POST", path, json=named), 403, "pin_needed")
    refused(host.ask("POST", path, json={**named, "pin": "2222"}), 403, "wrong_pin")
    host.do(path, {**named, "pin": "1111"})
    agreed = host.do(path, {"layout": OTHER, "player": "Ben", "pin": "2222"})
    assert [one["by"] for one in agreed["consents"]] == ["pin", "pin"]
    assert host.do("/disputes/1/resolve", {"outcome": "corrected"})["status"] == "corrected"


def test_alone_the_owner_is_enough(at: House) -> None:
    host = at.open("Ada")
    ada = host.joined("Ada")
    host.play_round(1, Ada=A)
    about_the_top(ada)
    ada.do("/disputes/1/consent", {"layout": OTHER})
    assert ada.do("/disputes/1/resolve", {"outcome": "corrected"})["points_after"] == 10


def test_a_frozen_round_stays_as_it_is(at: House) -> None:
    host = at.open("Ada", "Ben")
    host.reveal()
    host.submit(1, "Ada", A)
    host.submit(1, "Ben", B)
    about_the_top(host)
    changes: list[tuple[str, str, Any]] = [
        ("PATCH", "/rounds/1/trays/Ben", {"seats": {"C": "W"}}),
        ("POST", "/rounds/1/trays/Ada", {"layout": C}),
        ("POST", "/rounds/1/hourglass", {"action": "start"}),
        ("POST", "/rounds/1/lock", None),
    ]
    for method, path, asked in changes:
        refused(host.ask(method, path, json=asked), 409, "round_frozen")
    again = {"round": 1, "player": "Ada", "card": CARDS[0]}
    refused(host.ask("POST", "/disputes", json=again), 409, "dispute_open")
    host.do("/disputes/1/resolve", {"outcome": "upheld"})
    host.lock(1)


def test_who_opened_it_withdraws_it(at: House) -> None:
    table = seats(at)
    about_the_top(table.ben)
    path, upheld = "/disputes/1/resolve", {"outcome": "upheld"}
    refused(table.ada.ask("POST", path, json=upheld), 409, "consent_missing")
    refused(table.host.ask("POST", path, json=upheld), 409, "consent_missing")
    done = table.ben.do(path, upheld)
    assert (done["status"], done["layout_after"]) == ("upheld", A)
    about_the_top(table.ben)
    for player in (table.ada, table.ben):
        player.do("/disputes/2/consent", {"layout": A})
    refused(
        table.host.ask("POST", "/disputes/2/resolve", json={"outcome": "corrected"}),
        409,
        "nothing_to_correct",
    )
    assert table.ada.do("/disputes/2/resolve", upheld)["status"] == "upheld"


@pytest.mark.parametrize(
    ("favoured", "layout", "points"), [("owner", OTHER, 10), ("opponents", A, 9)]
)
def test_an_unresolved_one_favours_whom_the_table_says(
    at: House, favoured: str, layout: str, points: int
) -> None:
    table = seats(at, unresolved=favoured)
    about_the_top(table.ben)
    path, asked = "/disputes/1/resolve", {"outcome": "unresolved"}
    refused(table.ada.ask("POST", path, json=asked), 409, "consent_missing")
    table.ada.do("/disputes/1/consent", {"layout": A})
    table.ben.do("/disputes/1/consent", {"layout": C})
    done = table.ada.do(path, asked)
    assert (done["status"], done["favoured"]) == ("unresolved", favoured)
    assert (done["layout_after"], done["points_after"]) == (layout, points)
    assert table.host.state()["rounds"][0]["trays"]["Ada"]["layout"] == layout


def test_who_agrees_is_not_unresolved(at: House) -> None:
    table = seats(at)
    about_the_top(table.ben)
    for player in (table.ada, table.ben):
        player.do("/disputes/1/consent", {"layout": OTHER})
    answer = table.host.ask("POST", "/disputes/1/resolve", json={"outcome": "unresolved"})
    refused(answer, 409, "agreed")


def test_further_photos_are_read_together(at: House) -> None:
    table = seats(at, 110)
    about_the_top(table.ben)
    more = at.readers.show(photo(111), make_reading(OTHER, doubts={}, status="certain"))
    answer = table.ada.ask("POST", "/disputes/1/photos", files=form(more))
    assert answer.status_code == 200, answer.text
    dispute = answer.json()
    assert at.readers.asked[-1] == 2
    assert dispute["reading"]["layout"] == OTHER
    assert len(dispute["photos"]) == 2
    assert table.host.state()["rounds"][0]["trays"]["Ada"]["layout"] == A
    nothing = table.ada.ask("POST", "/disputes/1/photos", files=form(photo(112)))
    refused(nothing, 422, "no_tray")
    same = table.ada.ask("POST", "/disputes/1/photos", files=form(more))
    refused(same, 409, "same_photo")


def test_a_tray_is_judged_by_eight_photos_at_most(at: House) -> None:
    table = seats(at, 120)
    about_the_top(table.ben)
    photos = [at.readers.show(photo(number), make_reading(A)) for number in range(121, 129)]
    for batch in (photos[:4], photos[4:7]):
        answer = table.ada.ask("POST", "/disputes/1/photos", files=form(*batch))
        assert answer.status_code == 200, answer.text
    answer = table.ada.ask("POST", "/disputes/1/photos", files=form(photos[7]))
    refused(answer, 409, "too_many_photos")


def test_a_finished_game_is_recomputed(at: House) -> None:
    host = at.open("Ada", seed=3)
    ada = host.joined("Ada")
    for number in range(1, 7):
        host.play_round(number, Ada=A)
    before = host.do("/finish")["result"]["scores"][0]
    about_the_top(ada)
    ada.do("/disputes/1/consent", {"layout": OTHER})
    ada.do("/disputes/1/resolve", {"outcome": "corrected"})
    state = host.state()
    assert state["result"]["scores"][0]["points"] == before["points"] + 1
    assert state["result"]["solo"]["total"] == state["result"]["scores"][0]["total"]


def test_a_game_is_not_finished_over_a_dispute(at: House) -> None:
    host = at.open("Ada")
    for number in range(1, 7):
        host.play_round(number, Ada=A)
    about_the_top(host)
    refused(host.ask("POST", "/finish"), 409, "dispute_open")


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"round": 1, "player": "Ada"}, 422, "bad_request"),
        ({"round": 1, "player": "Ada", "card": "touch:BK", "seat": "C"}, 422, "bad_request"),
        ({"round": 1, "player": "Ada", "card": "touch:BK"}, 422, "not_revealed"),
        ({"round": 1, "player": "Ada", "card": "nonsense"}, 422, "bad_card"),
        ({"round": 1, "player": "Eve", "seat": "C"}, 404, "unknown_player"),
        ({"round": 2, "player": "Ada", "seat": "C"}, 404, "no_round"),
        ({"round": 1, "player": "Ben", "seat": "C"}, 404, "no_tray"),
    ],
)
def test_what_cannot_be_disputed(at: House, asked: Any, status: int, code: str) -> None:
    host = at.open("Ada", "Ben")
    host.reveal()
    host.submit(1, "Ada", A)
    refused(host.ask("POST", "/disputes", json=asked), status, code)


def test_there_is_no_such_dispute(at: House) -> None:
    host = at.open("Ada")
    for path in ("/disputes/1", "/disputes/1/crop.webp", "/disputes/1/overlay.webp"):
        refused(host.ask("GET", path), 404, "no_dispute")
    refused(host.ask("POST", "/disputes/1/resolve", json={"outcome": "upheld"}), 404, "no_dispute")


def test_without_a_photo_there_is_nothing_to_show(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    host.submit(1, "Ada", A)
    dispute = about_the_top(host)
    assert (dispute["crop"], dispute["overlay"], dispute["doubt"]) == (None, None, None)
    assert dispute["hangs_on"] == ["A"]
    refused(host.ask("GET", "/disputes/1/crop.webp"), 404, "no_photo")
    refused(host.ask("GET", "/rounds/1/trays/Ada/overlay.webp"), 404, "no_photo")
