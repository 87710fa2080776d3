"""Options that several commands share, and the terms they make."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from rules.dimension.cards import Deck, standard_deck
from rules.dimension.questions import parse_question
from rules.dimension.rulings import ruling_choices
from rules.dimension.words import LANGUAGES
from rules.errors import RulesError
from rules.game import GameRules
from rules.games import DEFAULT, GAMES, game

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Answer = Callable[[dict[str, Any]], dict[str, Any]]
GameAnswer = Callable[[GameRules[Any, Any], dict[str, Any]], dict[str, Any]]


def add_terms(parser: argparse.ArgumentParser) -> None:
    """Options for cards, edition, rulings and the ways to answer."""
    parser.add_argument("--cards", metavar="CODES", help="cards, like touch:BK,exactly:2O")
    parser.add_argument("--edition", default="en", help="en (default) or de")
    parser.add_argument(
        "--most", type=int, metavar="N", help="spheres on the fullest tray (German second chip)"
    )
    parser.add_argument(
        "--deck", metavar="any|FILE", help="take cards of any kind, or those of your own deck"
    )
    add_rulings(parser)
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.add_argument(
        "--jsonl", action="store_true", help="a JSON question a line in, an answer a line out"
    )
    add_language(parser)


def add_game(parser: argparse.ArgumentParser) -> None:
    """The option for the game that questions are about."""
    parser.add_argument(
        "--game",
        default=DEFAULT,
        metavar="NAME",
        help=f"{', '.join(GAMES)}; a line of --jsonl may name its own (default {DEFAULT})",
    )


def add_rulings(parser: argparse.ArgumentParser) -> None:
    """The option for rulings."""
    choices = "; ".join(f"{name}={'|'.join(either)}" for name, either in ruling_choices().items())
    parser.add_argument(
        "--ruling", action="append", default=[], metavar="NAME=CHOICE", help=choices
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """The option for the language of tables and reasons."""
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the reasons")


def question(args: argparse.Namespace) -> dict[str, Any]:
    """The question that the options ask, as a program would put it."""
    if args.cards is None:
        raise RulesError("bad_cards", "Say which cards are revealed: --cards touch:BK,exactly:2O")
    asked = {
        "cards": args.cards.split(","),
        "edition": args.edition,
        "rulings": rulings(args),
        "most": args.most,
    }
    return {**asked, "deck": "any"} if args.deck == "any" else asked


def rulings(args: argparse.Namespace) -> dict[str, str]:
    """The rulings given as options."""
    pairs = [text.partition("=") for text in args.ruling]
    return {name: choice for name, _, choice in pairs}


def deck(args: argparse.Namespace) -> Deck:
    """The deck that the options name."""
    return standard_deck() if args.deck in (None, "any") else Deck.load(Path(args.deck))


def print_json(answer: object) -> None:
    """One JSON value on a line of its own, out at once."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def answer_lines(usual: str, answers: Mapping[str, Answer], otherwise: GameAnswer) -> int:
    """Answer each line of standard input in order; what cannot be answered says why.

    A line that names no game is about the ``usual`` one. ``answers`` are those of games that take
    options of their own; any other game is asked by ``otherwise``.
    """
    for line in sys.stdin.buffer:
        try:
            question = parse_question(line)
            asked = game(str(question.get("game", usual)))
            own = answers.get(asked.id)
            print_json(own(question) if own else otherwise(asked, question))
        except RulesError as error:
            print_json({"error": error.to_json()})
    return 0
