"""``trayscore score`` and ``solve`` for Dimension: what a round is worth."""

import argparse
import sys
from pathlib import Path

from api.cli import options
from api.cli.commands import Action
from api.cli.lines import score_lines, solve_lines
from api.games.dimension.command_line.terms import add_terms, deck, question
from rules.dimension.layout import Layout, problems
from rules.dimension.questions import answer_score, answer_solve, terms
from rules.errors import RulesError


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="?", metavar="LAYOUT|PHOTO", help="like OKBGGWB/K.B.O./K, or a photo's path"
    )
    add_terms(parser)
    options.add_profile(parser, "--tray")


def _add_solve(parser: argparse.ArgumentParser) -> None:
    add_terms(parser)
    parser.add_argument("--from", dest="start", metavar="LAYOUT", help="improve this layout")
    parser.add_argument("--moves", type=int, metavar="K", help="… in at most K moves (3, default)")


def _score(args: argparse.Namespace) -> int:
    own_deck = deck(args)
    if args.jsonl:
        return score_lines(args, lambda asked: answer_score(asked, own_deck))
    if args.what is None:
        raise RulesError("bad_layout", "Say which layout or photo to score: OKBGGWB/K.B.O./K")
    if not _is_notation(args.what):
        if not Path(args.what).exists():
            raise RulesError("bad_layout", _neither_layout_nor_photo(args.what))
        from api.games.dimension.command_line.photos import score_photo  # noqa: PLC0415 - OpenCV

        return score_photo(args)
    asked = question(args) | {"layout": args.what}
    answer = answer_score(asked, own_deck)
    if args.json:
        options.print_json(answer)
    elif answer["problems"]:
        for problem in answer["problems"]:
            print(f"{problem['code']}: {problem['text']}", file=sys.stderr)
    else:
        from api.games.dimension.command_line.show import show_score  # noqa: PLC0415 - rich

        show_score(Layout.parse(args.what), terms(asked, own_deck), args.lang)
    return 1 if answer["problems"] else 0


def _is_notation(text: str) -> bool:
    return all(problem.code not in ("bad_letter", "bad_length") for problem in problems(text))


def _neither_layout_nor_photo(text: str) -> str:
    wrong = " ".join(problem.text for problem in problems(text))
    return f"{text} is neither a file nor a layout. {wrong}"


def _solve(args: argparse.Namespace) -> int:
    own_deck = deck(args)
    if args.jsonl:
        return solve_lines(args, lambda asked: answer_solve(asked, own_deck))
    asked = question(args) | {"from": args.start, "moves": args.moves}
    answer = answer_solve(asked, own_deck)
    if args.json:
        options.print_json(answer)
    else:
        from api.games.dimension.command_line.show import show_solution  # noqa: PLC0415 - rich

        show_solution(answer, terms(asked, own_deck), args.lang)
    return 0


SCORE = Action(_add_score, _score)
SOLVE = Action(_add_solve, _solve)
