import json
import subprocess
import sys
from pathlib import Path

import pytest

from api.cli import main
from tests.api.asking import answers

FULL = "OKBGGWB/K.B.O./K"
CARDS = "touch:BK,exactly:2O,apart:OB"


def test_score_tells_cards_reasons_and_points(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", FULL, "--cards", CARDS]) == 0
    shown = capsys.readouterr().out
    assert "Blue meets black" in shown
    assert "They touch at" in shown
    assert "11 spheres − 2 = 9 points" in shown


def test_score_speaks_german(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", FULL, "--cards", CARDS, "--lang", "de"]) == 0
    assert "NEIN" in capsys.readouterr().out


def test_score_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", FULL, "--cards", CARDS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "spheres": 11,
        "verdicts": {"touch:BK": True, "exactly:2O": True, "apart:OB": False},
        "failed": 1,
        "penalty": 2,
        "points": 9,
        "bonus": 0,
        "problems": [],
    }


def test_a_layout_that_cannot_be_is_not_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "OOOO.../....../K", "--cards", CARDS]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "too_many" in told.err
    assert "floating" in told.err
    assert main(["score", "OOOO.../....../K", "--cards", CARDS, "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["points"] is None
    assert [problem["code"] for problem in answer["problems"]] == ["too_many", "floating"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["score", FULL], "--cards"),
        (["score", "--cards", CARDS], "which layout"),
        (["score", "nowhere.jpg", "--cards", CARDS], "neither a file nor a layout"),
        (["score", FULL, "--cards", "touch:BX"], "is not a card"),
        (["score", FULL, "--cards", "more:KO"], "not in the deck"),
        (["score", FULL, "--cards", CARDS, "--ruling", "total=no"], "negative or floor"),
        (["score", FULL, "--cards", CARDS, "--edition", "fr"], "no edition"),
        (["score", FULL, "--cards", CARDS, "--most", "12"], "from 0 to 11"),
        (["score", FULL, "--cards", CARDS, "--deck", "/nowhere.json"], "Cannot read"),
        (["solve"], "--cards"),
        (["solve", "--cards", CARDS, "--from", FULL, "--moves", "4"], "from 0 to 3"),
        (["solve", "--cards", CARDS, "--from", "OO"], "places instead of"),
        (["draw", "--ruling", "x=y"], "no ruling"),
    ],
)
def test_bad_usage_says_what_is_wrong(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert says in told.err
    assert told.out == ""


def test_solve_shows_the_best_and_what_stands_in_the_way(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cards = "exactly:1B,exactly:1K,touch:BK,apart:BK"
    assert main(["solve", "--cards", cards, "--from", FULL, "--moves", "1"]) == 0
    shown = capsys.readouterr().out
    assert "cannot all be met: exactly:1B, exactly:1K, touch:BK, apart:BK" in " ".join(
        shown.split()
    )
    assert "From there" in shown
    assert "No layout earns a bonus token" in shown


def test_solve_tells_the_bonus_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--cards", "notbelow:O,notabove:O,touch:OB"]) == 0
    assert "With a bonus token" in capsys.readouterr().out


def test_deck_lists_sixty_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "--json"]) == 0
    cards = json.loads(capsys.readouterr().out)["cards"]
    assert len(cards) == 60
    assert cards[0]["name"] == {"en": "Exactly 1 orange", "de": "Genau 1-mal Orange"}
    assert main(["deck", "--lang", "de"]) == 0
    assert "Blau trifft Schwarz" in capsys.readouterr().out


def test_draw_is_repeatable_by_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    def drawn(*options: str) -> dict[str, object]:
        assert main(["draw", "--json", *options]) == 0
        return dict(json.loads(capsys.readouterr().out))

    first = drawn()
    assert drawn("--seed", str(first["seed"])) == first
    eight = drawn("--seed", "1", "--eight", "--without", "exactly", "--put-back")
    codes = eight["cards"]
    assert isinstance(codes, list)
    assert len(codes) == 8
    assert not any(code.startswith("exactly") for code in codes)


def test_draw_shows_what_to_type_next(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "--seed", "1"]) == 0
    assert "--cards" in capsys.readouterr().out


def test_an_own_deck_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "deck.json"
    own.write_text('{"cards": ["more:KO"]}')
    assert main(["score", FULL, "--cards", "more:KO", "--deck", str(own), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["points"] == 11
    assert main(["score", FULL, "--cards", "more:KO", "--deck", "any", "--json"]) == 0


def test_the_sample_round_is_the_books(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample"]) == 0
    shown = capsys.readouterr().out
    for line in ("= 9 points", "= 8 points", "= 11 points, 1 bonus token"):
        assert line in shown


def test_score_lines_are_answered_in_order() -> None:
    questions: list[object] = [
        {"layout": FULL, "cards": ["touch:KB"]},
        "not an object",
        {"layout": FULL, "cards": ["touch:BK", "touch:KB"]},
        {"layout": FULL, "cards": ["more:KO"]},
        {"layout": FULL, "cards": ["more:KO"], "deck": "any"},
        {"layout": FULL, "cards": ["touch:BX"]},
        {"layout": FULL, "cards": "touch:BK"},
        {"layout": FULL, "cards": [1]},
        {"layout": 5, "cards": ["touch:BK"]},
        {"cards": ["touch:BK"]},
        {"layout": FULL, "cards": ["touch:BK"], "edition": ["de"]},
        {"layout": FULL, "cards": ["touch:BK"], "rulings": "floor"},
        {"layout": FULL, "cards": ["touch:BK"], "rulings": {"total": 1}},
        {"layout": FULL, "cards": ["touch:BK"], "most": True},
        {"layout": FULL, "cards": ["touch:BK"], "deck": "mine"},
        {"layout": "O", "cards": ["touch:BK"]},
        {"layout": "OBGKW../....../.", "cards": ["exactly:1O"], "edition": "de", "most": 9},
        {"layout": FULL, "cards": ["touch:BK"] * 9},
        {"layout": FULL, "cards": []},
    ]
    found = answers(["score", "--jsonl"], [json.dumps(q).encode() for q in questions])
    codes = [answer.get("error", {}).get("code") for answer in found]
    assert codes == [
        *(None, "bad_json", "duplicate_card", "not_in_deck", None, "bad_card", "bad_cards"),
        *("bad_cards", "bad_layout", "bad_layout", "bad_edition", "bad_ruling", "bad_ruling"),
        *("bad_most", "bad_deck", None, None, "bad_count", "bad_count"),
    ]
    assert found[0]["verdicts"] == {"touch:KB": True}
    assert found[15]["points"] is None
    assert {problem["code"] for problem in found[15]["problems"]} == {"bad_length"}
    assert found[16]["bonus"] == 2


def test_solve_lines() -> None:
    questions = [
        {"cards": ["touch:BK", "exactly:2O"]},
        {"cards": ["touch:BK"], "from": FULL, "moves": 1},
        {"cards": ["touch:BK"], "from": "......./....../K", "moves": 1},
        {"cards": ["touch:BK"], "from": FULL, "moves": 9},
        {"cards": ["touch:BK"], "from": FULL},
    ]
    found = answers(["solve", "--jsonl"], [json.dumps(q).encode() for q in questions])
    assert (found[0]["points"], found[0]["bonus"], found[0]["conflict"]) == (11, 1, [])
    assert set(found[1]["better"]) == {"points", "bonus", "layout", "moves"}
    assert found[2]["error"]["code"] == "bad_layout"
    assert found[3]["error"]["code"] == "bad_moves"
    assert "better" in found[4]


@pytest.mark.parametrize(
    "arguments", [["score", FULL, "--cards", CARDS], ["solve", "--cards", CARDS]]
)
def test_scoring_and_solving_load_no_vision_library(arguments: list[str]) -> None:
    code = (
        "import sys; from api.cli import main; main(sys.argv[1:]);"
        "sys.exit(bool({'cv2', 'sklearn', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr


def test_scoring_a_layout_needs_no_numpy() -> None:
    code = (
        "import sys; from api.cli import main; main(sys.argv[1:]);sys.exit('numpy' in sys.modules)"
    )
    arguments = ["score", FULL, "--cards", CARDS]
    subprocess.run([sys.executable, "-c", code, *arguments], stdout=subprocess.DEVNULL, check=True)
