"""Tables for people: layouts, verdicts and solutions in the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from rules.dimension.cards import Card
from rules.dimension.layout import Layout
from rules.dimension.questions import Terms
from rules.dimension.scoring import RoundScore, score_round
from rules.dimension.words import card_name, card_sentence

console = Console(highlight=False)

_STYLES = {"O": "black on dark_orange", "B": "white on blue", "G": "white on green4"}
_STYLES |= {"K": "white on grey11", "W": "black on white", ".": "dim"}
_LEVELS = (
    ("one", ("R5 R0", "R4 C R1", "R3 R2")),
    ("two", ("T5", "T4 T0", "T3 T1", "T2")),
    ("three", ("A",)),
)


def layout_view(layout: Layout) -> Columns:
    """A layout level by level, as seen from above with R0 at the upper right."""
    return Columns([_level(layout, name, rows) for name, rows in _LEVELS], padding=(0, 1))


def _level(layout: Layout, name: str, rows: tuple[str, ...]) -> Panel:
    body = Text("\n", justify="center").join(
        Text("  ").join(_cell(layout[seat]) for seat in row.split()) for row in rows
    )
    body.justify = "center"
    return Panel(body, title=f"level {name}", width=17)


def _cell(letter: str) -> Text:
    return Text(f" {letter} ", style=_STYLES[letter])


def verdict_table(score: RoundScore, language: str) -> Table:
    """Card by card: yes or no, and why."""
    table = Table("", "card", "", "reason", box=None, header_style="bold")
    yes, no = {"en": ("yes", "NO"), "de": ("ja", "NEIN")}[language]
    for verdict in score.verdicts:
        mark = Text(f"✓ {yes}", "green") if verdict.fulfilled else Text(f"✗ {no}", "bold red")
        name = card_name(verdict.card)[language]
        table.add_row(mark, str(verdict.card), name, verdict.reason[language])
    return table


def sum_line(score: RoundScore) -> Text:
    """The score on one line."""
    text = Text.assemble(
        f"{score.spheres} spheres − {score.penalty} = ",
        (f"{score.points} points", "bold"),
        f", {score.bonus} bonus token{'' if score.bonus == 1 else 's'}",
    )
    for ruling in score.decisive_rulings:
        text.append(f"   (the ruling {ruling} decided)", "yellow")
    return text


def show_score(layout: Layout, terms: Terms, language: str) -> None:
    """Print a layout with its verdicts and points."""
    score = score_round(layout, terms.cards, terms.edition, terms.rulings, terms.most)
    console.print(layout_view(layout), verdict_table(score, language), sum_line(score), sep="\n")


def show_solution(answer: Mapping[str, Any], terms: Terms, language: str) -> None:
    """Print the best layout, how many there are, and what stands in the way."""
    show_score(Layout.parse(answer["layout"]), terms, language)
    count = answer["optimal"]
    console.print(f"[bold]{answer['layout']}[/] is the best; {count:,} layouts are as good.")
    if answer["conflict"]:
        console.print(f"These cannot all be met: {', '.join(answer['conflict'])}", style="yellow")
    with_bonus = answer["with_bonus"]
    if with_bonus is None:
        console.print("No layout earns a bonus token.")
    elif not answer["bonus"]:
        console.print(f"With a bonus token: {with_bonus['layout']}, {with_bonus['points']} points.")
    if "better" in answer:
        better = answer["better"]
        console.print(f"From there: {better['layout']}, {better['points']} points")
        for step in better["moves"] or ["nothing better is in reach"]:
            console.print(f"  • {step}")


def show_cards(cards: Sequence[Card], language: str) -> None:
    """Print cards with what they ask for."""
    table = Table("card", "name", "asks", box=None, header_style="bold")
    for card in cards:
        table.add_row(str(card), card_name(card)[language], card_sentence(card)[language])
    console.print(table)
