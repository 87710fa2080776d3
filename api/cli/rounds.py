"""``trayscore score``, ``solve`` and ``sample``: what rounds are worth."""

import argparse
import sys
from pathlib import Path

from api.cli import options
from api.cli.read import add_tray, score_photo
from rules.dimension.layout import Layout, problems
from rules.dimension.questions import answer_score, answer_solve, terms
from rules.errors import RulesError
from rules.games import DEFAULT, game


def add_parsers(commands: options.Commands) -> None:
    """Add these commands."""
    score = commands.add_parser("score", help="score a layout or a photo against cards")
    score.add_argument(
        "what", nargs="?", metavar="LAYOUT|PHOTO", help="like OKBGGWB/K.B.O./K, or a photo's path"
    )
    options.add_game(score)
    options.add_terms(score)
    add_tray(score)
    score.set_defaults(run=_score)

    solve = commands.add_parser("solve", help="find the best layout for cards")
    options.add_game(solve)
    options.add_terms(solve)
    solve.add_argument("--from", dest="start", metavar="LAYOUT", help="better from this layout")
    solve.add_argument("--moves", type=int, metavar="K", help="… within K moves, up to 3 (default)")
    solve.set_defaults(run=_solve)

    sample = commands.add_parser("sample", help="play a sample round")
    options.add_language(sample)
    sample.set_defaults(run=_sample)


def _score(args: argparse.Namespace) -> int:
    deck = options.deck(args)
    if args.jsonl:
        own = {DEFAULT: lambda question: answer_score(question, deck)}
        return options.answer_lines(args.game, own, lambda game, question: game.score(question))
    _refuse_other_games(args)
    if args.what is None:
        raise RulesError("bad_layout", "Say which layout or photo to score: OKBGGWB/K.B.O./K")
    if not _is_notation(args.what):
        if not Path(args.what).exists():
            raise RulesError("bad_layout", _neither_layout_nor_photo(args.what))
        return score_photo(args)
    question = options.question(args) | {"layout": args.what}
    answer = answer_score(question, deck)
    if args.json:
        options.print_json(answer)
    elif answer["problems"]:
        for problem in answer["problems"]:
            print(f"{problem['code']}: {problem['text']}", file=sys.stderr)
    else:
        from api.cli.show import show_score  # noqa: PLC0415 - rich takes time to load

        show_score(Layout.parse(args.what), terms(question, deck), args.lang)
    return 1 if answer["problems"] else 0


def _refuse_other_games(args: argparse.Namespace) -> None:
    """Raise ``RulesError`` for games whose questions have no options yet."""
    if game(args.game).id != DEFAULT:
        raise RulesError("bad_game", f"Questions about {args.game} go through --jsonl for now.")


def _is_notation(text: str) -> bool:
    return all(problem.code not in ("bad_letter", "bad_length") for problem in problems(text))


def _neither_layout_nor_photo(text: str) -> str:
    wrong = " ".join(problem.text for problem in problems(text))
    return f"{text} is neither a file nor a layout. {wrong}"


def _solve(args: argparse.Namespace) -> int:
    deck = options.deck(args)
    if args.jsonl:
        own = {DEFAULT: lambda question: answer_solve(question, deck)}
        return options.answer_lines(args.game, own, lambda game, question: game.solve(question))
    _refuse_other_games(args)
    question = options.question(args) | {"from": args.start, "moves": args.moves}
    answer = answer_solve(question, deck)
    if args.json:
        options.print_json(answer)
    else:
        from api.cli.show import show_solution  # noqa: PLC0415

        show_solution(answer, terms(question, deck), args.lang)
    return 0


def _sample(args: argparse.Namespace) -> int:
    from api.cli.sample import play  # noqa: PLC0415

    play(args.lang)
    return 0
