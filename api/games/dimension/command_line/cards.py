"""``trayscore deck`` and ``draw``: Dimension's task cards."""

import argparse
import secrets
from pathlib import Path

from api.cli import options
from api.cli.commands import Action
from api.games.dimension.command_line.terms import add_rulings, rulings
from rules.dimension.cards import Card, Deck, standard_deck
from rules.dimension.game import SetUp, draw, replay
from rules.dimension.game.stack import LEFT_OUT
from rules.dimension.questions import describe
from rules.dimension.rulings import Rulings


def _add_deck(parser: argparse.ArgumentParser) -> None:
    options.add_game(parser)
    parser.add_argument("--deck", metavar="FILE", help="your own deck")
    options.add_json(parser)
    options.add_language(parser)


def _add_draw(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, help="the same number draws the same cards")
    parser.add_argument("--eight", action="store_true", help="eight cards instead of six")
    parser.add_argument("--without", action="append", default=[], choices=sorted(LEFT_OUT))
    parser.add_argument("--put-back", action="store_true", help="put contradicting cards back")
    add_rulings(parser)
    _add_deck(parser)


def _deck(args: argparse.Namespace) -> int:
    cards = _own_or_standard(args).cards
    if args.json:
        options.print_json({"cards": [describe(card) for card in cards]})
    else:
        _show(cards, args.lang)
    return 0


def _draw(args: argparse.Namespace) -> int:
    seed = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    table = SetUp(
        players=("you",),
        cards_per_round=8 if args.eight else 6,
        without=tuple(args.without),
        put_back=args.put_back,
        rulings=Rulings.parse(rulings(args)),
        seed=seed,
        deck=tuple(map(str, _own_or_standard(args).cards)),
    )
    revealed = draw(replay([table]))
    if args.json:
        options.print_json(
            {"seed": seed, "cards": list(revealed.cards), "put_back": list(revealed.put_back)}
        )
    else:
        _show([Card.parse(code) for code in revealed.cards], args.lang)
        print(f"--seed {seed}   --cards {','.join(revealed.cards)}")
    return 0


def _own_or_standard(args: argparse.Namespace) -> Deck:
    return Deck.load(Path(args.deck)) if args.deck else standard_deck()


def _show(cards: list[Card] | tuple[Card, ...], language: str) -> None:
    from api.games.dimension.command_line.show import show_cards  # noqa: PLC0415 - rich takes time to load

    show_cards(cards, language)


DECK = Action(_add_deck, _deck)
DRAW = Action(_add_draw, _draw)
