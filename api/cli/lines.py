"""``--jsonl``: one question per line in, one answer per line out, about any game."""

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from api.cli import options
from api.cli.commands import Action
from rules.errors import RulesError
from rules.game import GameRules
from rules.games import game

Question = dict[str, Any]
Answer = Callable[[Question], dict[str, Any]]
GameAnswer = Callable[[GameRules[Any, Any], Question], dict[str, Any]]


def answer_lines(usual: str, ask: GameAnswer, own: Answer | None = None) -> int:
    """Answer each line of standard input in order. A line that cannot be answered says why.

    A line that names no game is about the ``usual`` one. That one is asked by ``own``, if given:
    its command may have options that matter. Any other game is asked by ``ask``.
    """
    usual = game(usual).id
    for line in sys.stdin.buffer:
        try:
            question = _parse(line)
            asked = game(str(question.get("game", usual)))
            by_options = own is not None and asked.id == usual
            options.print_json(own(question) if own and by_options else ask(asked, question))
        except RulesError as error:
            options.print_json({"error": error.to_json()})
    return 0


def score_lines(args: argparse.Namespace, own: Answer | None = None) -> int:
    """Answer lines that ask for a score."""
    return answer_lines(args.game, lambda game, question: game.score(question), own)


def solve_lines(args: argparse.Namespace, own: Answer | None = None) -> int:
    """Answer lines that ask for a solution."""
    return answer_lines(args.game, lambda game, question: game.solve(question), own)


def move_lines(args: argparse.Namespace, own: Answer | None = None) -> int:
    """Answer lines that ask for moves."""
    return answer_lines(args.game, _moves, own)


def _moves(asked: GameRules[Any, Any], question: Question) -> dict[str, Any]:
    moves: Answer | None = getattr(asked, "moves", None)
    if moves is None:
        raise RulesError("bad_game", f"{asked.id} has no moves to ask for.")
    return moves(question)


def _parse(line: bytes) -> Question:
    """The JSON object on a line; raises ``RulesError`` if there is none."""
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RulesError("bad_json", f"This line is not JSON: {error}.") from error
    if not isinstance(question, dict):
        raise RulesError("bad_json", "Each line must be a JSON object.")
    return question


def _add_options(parser: argparse.ArgumentParser) -> None:
    options.add_game(parser)
    parser.add_argument(
        "--jsonl",
        action="store_true",
        required=True,
        help="one JSON question per line in, one answer per line out",
    )


SCORE = Action(_add_options, score_lines)
SOLVE = Action(_add_options, solve_lines)
MOVES = Action(_add_options, move_lines)
"""For games that have no such command of their own."""
