"""Rounds: cards, hourglass, trays, corrections, the lock."""

import pytest

from tests.api.tables.house import CARDS, NOTHING, A, B, C, House, photo, refused
from tests.vision.dimension.readings import make_reading


def test_cards_are_drawn_or_entered(at: House) -> None:
    host = at.open("Ada")
    entered = host.reveal()
    assert (entered["cards"], entered["drawn"]) == (CARDS, False)
    host.submit(1, "Ada", A)
    host.lock(1)
    drawn = host.reveal(None)
    assert len(set(drawn["cards"])) == 6
    assert drawn["drawn"]
    assert not set(drawn["cards"]) & set(CARDS)


def test_the_same_seed_draws_the_same_cards(at: House) -> None:
    tables = [at.open("Ada", seed=7), at.open("Ada", seed=7), at.open("Ada")]
    first, second, other = [table.reveal(None)["cards"] for table in tables]
    assert first == second != other
    assert tables[0].state()["settings"]["seed"] == 7


def test_contradictions_are_shown(at: House) -> None:
    cards = ["touch:BK", "apart:KB", "exactly:1O", "notabove:W", "more:OK", "touch:OO"]
    assert at.open("Ada").reveal(cards)["contradictions"] == [["touch:BK", "apart:KB"]]


@pytest.mark.parametrize(
    ("cards", "status", "code"),
    [
        (["touch:BX"], 422, "bad_card"),
        ([*CARDS[:5], "more:KO"], 422, "not_in_deck"),
        ([*CARDS[:5], "exactly:2O"], 422, "duplicate_card"),
        (CARDS[:5], 422, "bad_count"),
        ([*CARDS, "touch:BK", "more:OK", "notabove:O"], 422, "bad_count"),
        ([], 422, "bad_request"),
    ],
)
def test_cards_that_cannot_be(at: House, cards: list[str], status: int, code: str) -> None:
    refused(at.open("Ada").ask("POST", "/rounds", json={"cards": cards}), status, code)


def test_a_ninth_card(at: House) -> None:
    host = at.open("Ada", cards_per_round=8)
    nine = [*CARDS, "touch:BK", "more:OK", "notabove:O"]
    refused(host.ask("POST", "/rounds", json={"cards": nine}), 422, "bad_count")
    host.reveal(nine[:8])


def test_a_card_that_was_played(at: House) -> None:
    host = at.open("Ada")
    host.play_round(1, Ada=A)
    refused(host.ask("POST", "/rounds", json={"cards": CARDS}), 409, "already_played")


def test_one_round_at_a_time(at: House) -> None:
    host = at.open("Ada")
    refused(host.ask("POST", "/rounds/1/lock"), 404, "no_round")
    host.reveal()
    refused(host.ask("POST", "/rounds", json={}), 409, "round_open")
    refused(host.ask("POST", "/rounds/1/lock"), 409, "trays_missing")
    refused(host.ask("POST", "/rounds/2/hourglass", json={"action": "start"}), 404, "no_round")


def test_the_hourglass_by_the_services_clock(at: House) -> None:
    host = at.open("Ada", "Ben", hourglass_s=90)
    host.reveal()
    began = at.clock.at
    glass = host.do("/rounds/1/hourglass", {"action": "start"})["hourglass"]
    assert glass == {
        "seconds": 90,
        "started_at": began,
        "ends_at": began + 90,
        "server_now": began,
        "running": True,
        "stopped": False,
    }
    refused(host.ask("POST", "/rounds/1/hourglass", json={"action": "start"}), 409, "hourglass_ran")
    at.clock.at += 89
    assert not host.submit(1, "Ada", A)["late"]
    at.clock.at += 1
    assert not host.state()["rounds"][0]["hourglass"]["running"]
    at.clock.at += 1
    assert host.submit(1, "Ben", B)["late"]
    kinds = [entry["kind"] for entry in host.do("/ledger", method="GET")["entries"]]
    assert kinds[-3:] == ["tray_submitted", "hourglass_ran_out", "tray_submitted"]
    ran_out = host.do("/ledger", method="GET")["entries"][-2]
    assert ran_out["body"]["event"]["at"] == began + 90
    assert ran_out["actor"] == "service"
    refused(
        host.ask("POST", "/rounds/1/hourglass", json={"action": "stop"}),
        409,
        "hourglass_not_running",
    )


def test_an_hourglass_that_is_stopped(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    host.do("/rounds/1/hourglass", {"action": "start"})
    at.clock.at += 10
    glass = host.do("/rounds/1/hourglass", {"action": "stop"})["hourglass"]
    assert (glass["running"], glass["stopped"], glass["ends_at"]) == (False, True, at.clock.at)
    at.clock.at += 1
    assert host.submit(1, "Ada", A)["late"]


def test_a_tray_by_photo(at: House) -> None:
    host = at.open("Ada", "Ben")
    ada = host.joined("Ada")
    host.reveal()
    sent = ada.photographed(1, "Ada", A, photo(1), status="certain")
    assert sent["reading"]["layout"] == sent["tray"]["layout"] == A
    assert sent["score"]["points"] == 9
    assert [one["card"] for one in sent["score"]["verdicts"] if not one["fulfilled"]] == ["sum4:WO"]
    tray = host.state()["rounds"][0]["trays"]["Ada"]
    assert (tray["by"], tray["sender"]) == ("photo", "player:Ada")
    assert tray["doubt"]["points"] == [{"points": 9, "p": 1.0}]
    kept = ada.ask("GET", f"/photos/{tray['photos'][0]['sha256']}")
    assert kept.headers["content-type"] == "image/jpeg"
    assert len(kept.content) == tray["photos"][0]["bytes"]
    assert ada.ask("GET", "/rounds/1/trays/Ada/overlay.webp").content.startswith(at.readers.drawing)


def test_several_photos_are_read_together(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    at.readers.show(photo(2), make_reading(A))
    answer = host.send(1, "Ada", photo(1), photo(2)).json()
    assert answer["tray"]["layout"] == A
    assert len(answer["tray"]["photos"]) == 2
    assert len(answer["reading"]["photo"]) == 2


def test_a_photo_without_a_tray_is_not_recorded(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    before = host.state()["version"]
    answer = host.send(1, "Ada", photo(9999))
    assert answer.status_code == 200
    assert answer.json()["reading"]["status"] == "no_tray"
    assert answer.json()["tray"] is None
    assert host.state()["version"] == before


def test_a_reading_that_no_tray_can_be_waits_for_correction(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    four = "OOOOBBG/....../."
    sent = host.photographed(1, "Ada", four, photo(1), warnings=("color_count_impossible",))
    assert (sent["score"], sent["tray"]["layout"]) == (None, None)
    assert sent["tray"]["problems"][0]["code"] == "too_many"
    assert host.state()["rounds"][0]["missing"] == ["Ada"]
    refused(host.ask("POST", "/rounds/1/lock"), 409, "tray_unfinished")
    at.clock.at += 500
    fixed = host.do("/rounds/1/trays/Ada", {"seats": {"C": "W"}}, method="PATCH")
    assert fixed["tray"]["layout"] == "WOOOBBG/....../."
    assert not fixed["tray"]["late"]
    host.lock(1)


def test_seats_are_corrected_until_the_lock(at: House) -> None:
    host = at.open("Ada", "Ben")
    ada, ben = host.joined("Ada"), host.joined("Ben")
    host.reveal()
    ada.submit(1, "Ada", A)
    wanted = {"seats": {"A": None, "C": "K"}, "reason": "misread"}
    fixed = ada.do("/rounds/1/trays/Ada", wanted, method="PATCH")
    assert fixed["tray"]["layout"] == "KWWGBBO/O.K.K./."
    assert fixed["tray"]["corrections"][0]["before"] == A
    assert fixed["tray"]["corrections"][0]["actor"] == "player:Ada"
    version = host.state()["version"]
    assert ada.do("/rounds/1/trays/Ada", wanted, method="PATCH")["version"] == version
    refused(ben.ask("PATCH", "/rounds/1/trays/Ada", json=wanted), 403, "not_your_tray")
    floating = {"seats": {"C": "."}}
    answer = ada.ask("PATCH", "/rounds/1/trays/Ada", json=floating)
    problems = refused(answer, 422, "bad_layout")["errors"]
    assert {problem["code"] for problem in problems} == {"floating"}
    refused(ada.ask("PATCH", "/rounds/1/trays/Ben", json=wanted), 403, "not_your_tray")
    refused(ben.ask("PATCH", "/rounds/1/trays/Ben", json=wanted), 404, "no_tray")
    refused(ada.ask("PATCH", "/rounds/1/trays/Ada", json={"seats": {"X": "O"}}), 422, "bad_request")
    ben.submit(1, "Ben", B)
    host.lock(1)
    refused(ada.ask("PATCH", "/rounds/1/trays/Ada", json=wanted), 409, "round_locked")
    refused(ada.ask("POST", "/rounds/1/trays/Ada", json={"layout": A}), 409, "round_locked")
    refused(host.ask("POST", "/rounds/1/lock"), 409, "round_locked")


@pytest.mark.parametrize("layout", ["OOOO.../....../.", "O", "O....../K...../.", "x" * 41, "K💥"])
def test_layouts_that_cannot_be(at: House, layout: str) -> None:
    host = at.open("Ada")
    host.reveal()
    answer = host.ask("POST", "/rounds/1/trays/Ada", json={"layout": layout})
    assert answer.status_code == 422
    assert answer.json()["code"] in ("bad_layout", "bad_request")


def test_a_lock_tells_tokens_and_shows_six_words(at: House) -> None:
    host = at.open("Ada", "Ben", "Cleo")
    host.reveal()
    for player, layout in (("Ada", A), ("Ben", B), ("Cleo", C)):
        host.submit(1, player, layout)
    locked = host.lock(1)
    assert {one["player"]: (one["points"], one["bonus"]) for one in locked["standings"]} == {
        "Ada": (19, 0),
        "Ben": (18, 0),
        "Cleo": (21, 1),
    }
    cleo = next(one for one in locked["handovers"] if one["player"] == "Cleo")
    assert (cleo["amount"], cleo["bonus"]) == (11, 1)
    assert cleo["take"] == [{"value": 10, "count": 1}, {"value": 1, "count": 1}]
    state = host.state()
    assert len(locked["fingerprint"].split()) == 6
    assert state["rounds"][0]["seal"]["fingerprint"] == locked["fingerprint"]
    assert state["ledger"]["fingerprint"] == locked["fingerprint"]
    assert state["rounds"][0]["handovers"] == locked["handovers"]


def test_overlays_are_kept_with_the_lock(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    host.photographed(1, "Ada", A, photo(1))
    host.lock(1)
    entry = host.do("/ledger", method="GET")["entries"][-1]
    (digest,) = entry["files"]
    assert entry["body"]["overlays"] == {"Ada": digest}
    drawn = host.ask("GET", "/rounds/1/trays/Ada/overlay.webp").content
    assert at.store.files.read(digest, "webp") == drawn


def test_an_empty_tray_counts(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    assert host.submit(1, "Ada", NOTHING)["score"]["spheres"] == 0


def test_a_tray_is_sent_as_photos_or_as_json(at: House) -> None:
    host = at.open("Ada")
    host.reveal()
    path = "/rounds/1/trays/Ada"
    answer = host.ask("POST", path, content=b"x", headers={"Content-Type": "text/plain"})
    refused(answer, 415, "unsupported_media_type")
    answer = host.ask("POST", path, content=b"{", headers={"Content-Type": "application/json"})
    refused(answer, 400, "bad_json")
    answer = host.ask("POST", path, files=[("photos", ("a.txt", b"no photo", "image/jpeg"))])
    refused(answer, 415, "not_an_image")
    answer = host.ask("POST", path, files=[("other", ("a.jpg", photo(1), "image/jpeg"))])
    refused(answer, 422, "bad_count")
    refused(host.send(1, "Ada", *map(photo, range(5))), 422, "bad_count")
