"""``--jsonl``: questions about any game, line by line."""

import json

import pytest

from api.cli import main
from tests.api.asking import answers

FULL = "OKBGGWB/K.B.O./K"


def test_broken_lines_do_not_stop_the_rest() -> None:
    good = json.dumps({"layout": FULL, "cards": ["touch:BK"]}).encode()
    lines = [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"null", b"1e999", good]
    found = answers(["score", "--jsonl"], lines)
    assert [answer.get("error", {}).get("code") for answer in found] == ["bad_json"] * 6 + [None]


def test_a_line_may_be_about_another_game() -> None:
    dice = {"game": "high_score", "dice": "5533V12", "challenge": "pairs-rest/three/free"}
    lines = [
        dice,
        {"layout": FULL, "cards": ["touch:BK"]},
        {**dice, "dice": "55"},
        {"game": "chess"},
        {"game": 7},
    ]
    found = answers(["score", "--jsonl"], [json.dumps(line).encode() for line in lines])
    result, layout, too_few, unknown, no_name = found
    assert (result["result"], result["values"]) == (19, [5, 5, 3, 3, 2, 1, 2])
    assert layout["verdicts"] == {"touch:BK": True}
    assert too_few["error"]["code"] == "bad_dice"
    assert unknown["error"]["code"] == no_name["error"]["code"] == "bad_game"


def test_the_shell_says_which_game_all_lines_are_about() -> None:
    turn = {"challenge": "total/three/0", "dice": "5555511", "roll": 2}
    lines = [json.dumps(turn).encode()]
    (advice,) = answers(["solve", "--jsonl", "--game", "high-score"], lines)
    assert advice["keep"] == "55555"
    assert sum(row["p"] for row in advice["distribution"]) == pytest.approx(1.0)


def test_what_a_game_has_no_options_for_is_asked_line_by_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["moves"])
    assert stopped.value.code == 2
    assert "--jsonl" in capsys.readouterr().err


def test_a_game_without_moves_says_so() -> None:
    (answer,) = answers(["moves", "--jsonl"], [b"{}"])
    assert answer["error"]["code"] == "bad_game"
