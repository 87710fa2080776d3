"""``POST /v1/scores`` and ``/v1/solutions``: the rules' answers, with reasons and doubts."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from api.games.dimension.models.readings import example_reading
from api.games.dimension.scores import answer_full_score
from rules.dimension.cards import standard_deck
from rules.dimension.questions import answer_score, answer_solve
from tests.rules.dimension.strategies import layouts
from tests.vision.dimension.readings import make_reading

FULL = "OKBGGWB/K.B.O./K"
CARDS = ["touch:BK", "exactly:2O", "notabove:O"]
Json = dict[str, Any]


def _far() -> Json:
    return {**example_reading()["seats"]["C"], "uv": [1e300, 0.0]}


def ask(service: TestClient, path: str, **question: Any) -> Json:
    answer = service.post(path, json=question)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def refusal(service: TestClient, path: str, question: object) -> Json:
    headers = {"content-type": "application/json"}
    answer = service.post(path, content=json.dumps(question), headers=headers)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return dict(answer.json())


def test_a_layout_is_scored_with_reasons(service: TestClient) -> None:
    answer = ask(service, "/v1/scores", layout=FULL, cards=CARDS)
    assert (answer["points"], answer["failed"], answer["penalty"]) == (9, 1, 2)
    assert "doubt" not in answer
    verdict = answer["verdicts"][2]
    assert (verdict["card"], verdict["fulfilled"], verdict["seats"]) == (
        "notabove:O",
        False,
        ["T4"],
    )
    assert "orange" in verdict["reason"]["en"]
    assert ["C", "T4"] in verdict["contacts"]


@given(layouts(), st.sets(st.sampled_from(standard_deck().cards), min_size=1, max_size=8))
def test_numbers_are_those_of_the_command_line(layout: Any, cards: Any) -> None:
    question = {"layout": str(layout), "cards": [str(card) for card in cards], "edition": "de"}
    full, brief = answer_full_score(question), answer_score(question)
    assert {v["card"]: v["fulfilled"] for v in full["verdicts"]} == brief["verdicts"]
    assert {key: full[key] for key in brief if key != "verdicts"} == {
        key: value for key, value in brief.items() if key != "verdicts"
    }


def test_a_layout_that_cannot_be_is_told_seat_by_seat(service: TestClient) -> None:
    answer = ask(service, "/v1/scores", layout="OOOO.../....../K", cards=CARDS)
    assert answer["points"] is None
    assert [entry["code"] for entry in answer["problems"]] == ["too_many", "floating"]


def test_a_reading_is_scored_with_its_doubts(service: TestClient) -> None:
    other = "WKBGGWB/K.B.O./K"
    reading = make_reading(FULL, alternatives={other: 1 / 3}).to_json()
    answer = ask(service, "/v1/scores", reading=reading, cards=["exactly:2O", "touch:BK"])
    assert answer["points"] == 11
    assert {entry["points"] for entry in answer["doubt"]["points"]} == {11, 9}
    assert answer["doubt"]["cards"]["exactly:2O"] == pytest.approx(2 / 3)
    assert answer["doubt"]["decisive"] == ["C"]
    assert "centre" in answer["doubt"]["advice"]


def test_a_borrowed_sphere_is_not_scored(service: TestClient) -> None:
    reading = make_reading("OOOO.../....../.", status="uncertain").to_json()
    answer = ask(service, "/v1/scores", reading=reading, cards=CARDS)
    assert answer["points"] is None
    assert answer["doubt"]["points"]


@st.composite
def odd_readings(draw: st.DrawFn) -> Json:
    """Readings of the right form, with whatever numbers a client may have put into them."""
    reading, chance = example_reading(), st.floats(0, 1)
    number = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1e6, -1e6, 5e-324])
    for seat in [*reading["seats"].values(), *reading["storage"].values()]:
        seat["p"], seat["visible"] = draw(chance), draw(chance)
        seat["uv"], seat["radius"] = [draw(number), draw(number)], abs(draw(number))
    reading["confidence"] = draw(chance)
    reading["alternatives"] = [
        {"layout": str(draw(layouts())), "p": draw(chance)} for _ in range(draw(st.integers(0, 3)))
    ]
    return reading


@settings(max_examples=40)
@given(odd_readings())
def test_doubts_of_odd_readings_are_still_probabilities(reading: Json) -> None:
    doubt = answer_full_score({"reading": reading, "cards": CARDS})["doubt"]
    assert sum(entry["p"] for entry in doubt["points"]) == pytest.approx(1, abs=1e-4)
    assert all(0 <= p <= 1.000001 for p in doubt["cards"].values())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"cards": ["touch:BX"]}, "bad_card"),
        ({"cards": ["more:KO"]}, "not_in_deck"),
        ({"cards": ["touch:BK", "touch:KB"]}, "duplicate_card"),
        ({"cards": [str(card) for card in standard_deck().cards[:9]]}, "bad_count"),
        ({"cards": []}, "bad_count"),
        ({"cards": "touch:BK"}, "bad_request"),
        ({"cards": ["\ud800"]}, "bad_card"),
        ({"rulings": {"total": "maybe"}}, "bad_ruling"),
        ({"rulings": {"\ud800": "maybe"}}, "bad_ruling"),
        ({"rulings": {"total": []}}, "bad_ruling"),
        ({"edition": "fr"}, "bad_edition"),
        ({"most": 12}, "bad_most"),
        ({"most": "5"}, "bad_request"),
        ({"most": True}, "bad_request"),
        ({"deck": "mine"}, "bad_request"),
        ({"hurry": True}, "bad_request"),
        ({"\ud800": True}, "bad_request"),
        ({"layout": None}, "bad_question"),
        ({"reading": example_reading()}, "bad_question"),
        ({"layout": 7}, "bad_request"),
    ],
)
def test_what_cannot_be_scored(service: TestClient, change: Json, code: str) -> None:
    told = refusal(service, "/v1/scores", {"layout": FULL, "cards": CARDS, **change})
    assert told["code"] == code
    assert told["detail"]


def test_a_card_of_another_deck_is_taken_if_asked(service: TestClient) -> None:
    assert ask(service, "/v1/scores", layout=FULL, cards=["more:KO"], deck="any")["points"] == 11


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seats": {}}, "bad_reading"),
        ({"layout": "OOOOOOO/......./."}, "bad_reading"),
        ({"confidence": 1.5}, "bad_request"),
        ({"seats": {**example_reading()["seats"], "C": _far()}}, "bad_request"),
        ({"surprise": 1}, "bad_reading"),
        ({"layout": None, "confidence": None, "seats": {}, "storage": {}}, "bad_reading"),
    ],
)
def test_readings_are_not_trusted(service: TestClient, change: Json, code: str) -> None:
    question = {"reading": {**example_reading(), **change}, "cards": CARDS}
    told = refusal(service, "/v1/scores", question)
    assert told["code"] == code
    assert told["errors"]


def test_a_reading_without_a_tray_has_nothing_to_score(service: TestClient) -> None:
    empty: Json = {"layout": None, "confidence": None, "seats": {}, "storage": {}}
    reading = {**example_reading(), **empty, "status": "no_tray", "alternatives": []}
    told = refusal(service, "/v1/scores", {"reading": reading, "cards": CARDS})
    assert told["code"] == "no_layout"


@pytest.mark.parametrize("body", [b"{", b"", b"[1, 2", b"\xff\xfe", b"[" * 100_000])
def test_what_is_not_json(service: TestClient, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = service.post("/v1/scores", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert answer.json()["code"] in ("bad_json", "bad_request")


def test_numbers_that_are_none(service: TestClient) -> None:
    text = json.dumps(
        {"reading": {**example_reading(), "confidence": float("nan")}, "cards": CARDS}
    )
    headers = {"content-type": "application/json"}
    assert service.post("/v1/scores", content=text, headers=headers).status_code == 422


def test_solutions(service: TestClient) -> None:
    question = {"cards": ["exactly:1B", "exactly:1K", "touch:BK", "apart:BK"]}
    assert ask(service, "/v1/solutions", **question) == answer_solve(question)
    moved = {"cards": CARDS, "from": FULL, "moves": 1}
    assert ask(service, "/v1/solutions", **moved) == answer_solve(moved)
    assert "better" in answer_solve(moved)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"from": "OO"}, "bad_layout"),
        ({"from": "OOOO.../....../."}, "bad_layout"),
        ({"from": FULL, "moves": 4}, "bad_moves"),
        ({"start": FULL}, "bad_request"),
        ({"layout": FULL}, "bad_request"),
    ],
)
def test_what_cannot_be_solved(service: TestClient, change: Json, code: str) -> None:
    assert refusal(service, "/v1/solutions", {"cards": CARDS, **change})["code"] == code


def test_the_deck(service: TestClient) -> None:
    cards = service.get("/v1/deck").json()["cards"]
    assert [card["card"] for card in cards] == [str(card) for card in standard_deck().cards]
    assert cards[0]["name"] == {"en": "Exactly 1 orange", "de": "Genau 1-mal Orange"}
