"""``trayscore sample``: a round of three players, played by the engine and shown as at a table."""

import argparse

from rich.table import Table

from api.cli import options
from api.cli.commands import Action
from api.games.dimension.command_line.show import (
    console,
    layout_view,
    show_cards,
    sum_line,
    verdict_table,
)
from rules.dimension.game import (
    Game,
    HourglassEnded,
    HourglassStarted,
    RoundClosed,
    SetUp,
    TraySubmitted,
    enter,
    replay,
)

CARDS = ("sum4:WO", "exactly:2O", "touch:OK", "touch:BB", "apart:BW", "touch:GK")
TRAYS = {
    "Ada": "GWWGBBO/O.K.K./W",
    "Ben": "KBBOWKG/O.G.O./.",
    "Cleo": "OKWKWKG/O.G.B./B",
}
"""One tray misses the sum, one the number of oranges, one fulfils everything."""


def sample_round() -> Game:
    """The game after its first round."""
    trays = [TraySubmitted(player, layout, at=59.0) for player, layout in TRAYS.items()]
    return replay(
        [
            SetUp(tuple(TRAYS)),
            enter(CARDS),
            HourglassStarted(at=0.0),
            *trays,
            HourglassEnded(at=60.0),
            RoundClosed(),
        ]
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    options.add_game(parser)
    options.add_language(parser)


def _play(args: argparse.Namespace) -> int:
    """Show the sample round."""
    game, language = sample_round(), args.lang
    round_ = game.rounds[0]
    console.rule("Six cards are revealed")
    show_cards(round_.cards, language)
    for player, tray in round_.trays.items():
        score = game.score(round_.number, player)
        console.rule(f"{player}: {tray.layout}")
        console.print(layout_view(tray.layout), verdict_table(score, language), sep="\n")
        console.print(sum_line(score))
    console.rule("After the round")
    console.print(_standings(game))
    console.print(
        "Try your own: trayscore score LAYOUT --cards CODES, or trayscore solve --cards …"
    )
    return 0


def _standings(game: Game) -> Table:
    table = Table("player", "points", "bonus tokens", "takes", box=None, header_style="bold")
    for handover in game.handovers:
        standing = game.standings[handover.player]
        coins = ", ".join(f"{count} × {value}" for value, count in handover.take.items())
        back = ", ".join(f"{count} × {value}" for value, count in handover.give.items())
        moved = f"{coins} (gives back {back})" if back else coins
        table.add_row(handover.player, str(standing.points), str(standing.bonus), moved)
    return table


SAMPLE = Action(_add_options, _play)
