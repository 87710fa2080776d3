"""``trayscore deck`` and ``draw``: the task cards."""

import argparse
import secrets
from pathlib import Path

from api.cli import options
from rules.dimension.cards import Card, Deck, standard_deck
from rules.dimension.game import SetUp, draw, replay
from rules.dimension.game.stack import LEFT_OUT
from rules.dimension.questions import describe
from rules.dimension.rulings import Rulings


def add_parsers(commands: options.Commands) -> None:
    """Add these commands."""
    deck = commands.add_parser("deck", help="list the task cards")
    _add_common(deck)
    deck.set_defaults(run=_deck)

    draw_ = commands.add_parser("draw", help="reveal cards for a round")
    draw_.add_argument("--seed", type=int, help="the same number draws the same cards")
    draw_.add_argument("--eight", action="store_true", help="eight cards instead of six")
    draw_.add_argument("--without", action="append", default=[], choices=sorted(LEFT_OUT))
    draw_.add_argument("--put-back", action="store_true", help="put contradicting cards back")
    options.add_rulings(draw_)
    _add_common(draw_)
    draw_.set_defaults(run=_draw)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deck", metavar="FILE", help="your own deck")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    options.add_language(parser)


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
        rulings=Rulings.parse(options.rulings(args)),
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
    from api.cli.show import show_cards  # noqa: PLC0415 - rich takes time to load

    show_cards(cards, language)
