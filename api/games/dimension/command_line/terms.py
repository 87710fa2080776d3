"""Options for the terms of a round of Dimension, and the question that they ask."""

import argparse
from pathlib import Path
from typing import Any

from api.cli import options
from rules.dimension.cards import Deck, standard_deck
from rules.dimension.rulings import ruling_choices
from rules.errors import RulesError


def add_terms(parser: argparse.ArgumentParser) -> None:
    """Options for game, cards, edition, rulings and the ways to answer."""
    options.add_game(parser)
    parser.add_argument("--cards", metavar="CODES", help="cards, like touch:BK,exactly:2O")
    parser.add_argument("--edition", default="en", help="en (default) or de")
    parser.add_argument(
        "--most", type=int, metavar="N", help="spheres on the fullest tray (German second chip)"
    )
    parser.add_argument(
        "--deck", metavar="any|FILE", help="allow cards of any kind, or those of your own deck"
    )
    add_rulings(parser)
    options.add_json(parser)
    options.add_json_lines(parser)
    options.add_language(parser)


def add_rulings(parser: argparse.ArgumentParser) -> None:
    """``--ruling``."""
    choices = "; ".join(f"{name}={'|'.join(either)}" for name, either in ruling_choices().items())
    parser.add_argument(
        "--ruling", action="append", default=[], metavar="NAME=CHOICE", help=choices
    )


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
