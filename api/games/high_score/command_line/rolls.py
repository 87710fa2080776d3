"""``trayscore score`` for High Score: what dice are worth under a challenge."""

import argparse
from pathlib import Path

from api.cli import options
from api.cli.commands import Action
from api.cli.lines import score_lines
from rules.errors import RulesError
from rules.high_score.dice import problems
from rules.high_score.questions import answer_score


def _add_score(parser: argparse.ArgumentParser) -> None:
    options.add_game(parser)
    parser.add_argument(
        "what", nargs="?", metavar="DICE|PHOTO", help="like 5533V12, or a photo's path"
    )
    parser.add_argument("--challenge", metavar="CODE", help="like pairs-rest/three/free")
    options.add_profile(parser, help="your dice, made by calibrate dice; without it, pips are read")
    options.add_json(parser)
    options.add_json_lines(parser)
    options.add_language(parser)


def _score(args: argparse.Namespace) -> int:
    if args.jsonl:
        return score_lines(args)
    if args.what is None:
        raise RulesError("bad_dice", "Say which dice or photo to score: 5533V12")
    if args.challenge is None:
        raise RulesError("bad_challenge", "Say which challenge: --challenge pairs-rest/three/free")
    asked: dict[str, object] = {"challenge": args.challenge}
    if problems(args.what) and Path(args.what).exists():
        from api.games.high_score.command_line.photos import score_photo  # noqa: PLC0415 - OpenCV

        return score_photo(args, asked)
    answer = answer_score({**asked, "dice": args.what})
    if args.json:
        options.print_json(answer)
    else:
        print(f"{args.what}: {answer['result']}. {answer['text'][args.lang]}")
    return 0


SCORE = Action(_add_score, _score, "Score seven dice, or a photo of them, under a challenge.")
