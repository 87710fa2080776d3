"""Why dice are worth what they are, in words that end an argument."""

from collections.abc import Sequence

from rules.high_score.board import LAST_PLACE, Piece
from rules.high_score.challenges import Challenge, Scoring, Vortex
from rules.high_score.dice import VORTEX, Dice
from rules.high_score.words import enumeration, joined, number
from rules.texts import Text

Groups = Sequence[Sequence[int]]
"""Indices of dice that count together."""

_COUNT = {
    "total": Text("All dice count", "Alle Würfel zählen"),
    "same": Text("Numbers shown more than once count", "Mehrfach liegende Zahlen zählen"),
    "tens": Text("Tens count", "Zehner zählen"),
    "pairs": Text("Pairs count", "Paare zählen"),
    "triples": Text("Three of a kind count", "Drillinge zählen"),
    "odd": Text("Odd numbers count", "Ungerade Zahlen zählen"),
    "shown": Text("1 to 4 count", "1 bis 4 zählen"),
}
_NOTHING = {
    "same": Text("No number occurs twice", "Keine Zahl liegt zweimal da"),
    "tens": Text("No dice make ten", "Keine Würfel ergeben zehn"),
    "pairs": Text("There is no pair", "Es gibt kein Paar"),
    "triples": Text("There are no three of a kind", "Es gibt keinen Drilling"),
    "odd": Text("There is no 1, 3 or 5", "Es gibt keine 1, 3 oder 5"),
    "shown": Text("Nothing is worth 1 to 4", "Nichts ist 1 bis 4 wert"),
}


def why(dice: Dice, challenge: Challenge, values: Sequence[int], groups: Groups) -> Text:
    """What counted, what was subtracted, what a vortex was worth."""
    sentences = [_vortices(dice, challenge, values)] if dice.vortices else []
    if challenge.scoring is Scoring.RUN:
        sentences.append(_run(dice, values, groups))
    else:
        sentences.append(_counted(challenge.scoring, values, groups))
    if challenge.scoring.minus_rest:
        sentences.append(_rest(values, groups))
    return joined(sentences)


def _vortices(dice: Dice, challenge: Challenge, values: Sequence[int]) -> Text:
    worth = [number(values[at]) for at, face in enumerate(dice.faces) if face == VORTEX]
    if challenge.vortex is not Vortex.FREE:
        return Text(f"A vortex is worth {worth[0]}.", f"Ein Wirbel ist {worth[0]} wert.")
    if len(worth) == 1:
        return Text(
            f"The vortex is best taken as {worth[0]}.",
            f"Der Wirbel zählt am besten als {worth[0]}.",
        )
    each = enumeration(worth)
    if len(set(worth)) == 1:
        each = Text(f"{worth[0]} each", f"je {worth[0]}")
    return Text(
        f"The vortices are best taken as {each.en}.", f"Die Wirbel zählen am besten als {each.de}."
    )


def _counted(scoring: Scoring, values: Sequence[int], groups: Groups) -> Text:
    name = scoring.removesuffix("-rest")
    if not groups:
        none = _NOTHING[name]
        return Text(f"{none.en}, so nothing counts: 0.", f"{none.de}, also zählt nichts: 0.")
    sum_, count = _sum_of_groups(values, groups), _COUNT[name]
    return Text(f"{count.en}: {sum_}.", f"{count.de}: {sum_}.")


def _run(dice: Dice, values: Sequence[int], groups: Groups) -> Text:
    numbers = [values[at] for group in groups for at in group if dice.faces[at] != VORTEX]
    wild = [values[at] for group in groups for at in group if dice.faces[at] == VORTEX]
    if not numbers:
        none = Text(
            "No run starts at 1, so no number counts", "Keine Reihe beginnt bei 1, keine Zahl zählt"
        )
        left = f": {_equation(wild)}" if wild else ": 0"
        return Text(f"{none.en}{left}.", f"{none.de}{left}.")
    equation = _equation([*sorted(numbers), *wild])
    if wild:
        return Text(
            f"The run from 1 and all vortices count: {equation}.",
            f"Die Reihe ab 1 und alle Wirbel zählen: {equation}.",
        )
    return Text(f"The run from 1 counts: {equation}.", f"Die Reihe ab 1 zählt: {equation}.")


def _rest(values: Sequence[int], groups: Groups) -> Text:
    counted = {at for group in groups for at in group}
    rest = sorted((v for at, v in enumerate(values) if at not in counted), reverse=True)
    if not rest:
        return Text("No die is left over.", "Kein Würfel bleibt übrig.")
    start = sum(values[at] for at in counted)
    inside = _sum(rest) if len(rest) == 1 and rest[0] >= 0 else f"({_sum(rest)})"
    equation = f"{number(start)} − {inside} = {number(start - sum(rest))}"
    return Text(f"The rest is subtracted: {equation}.", f"Der Rest wird abgezogen: {equation}.")


def _sum_of_groups(values: Sequence[int], groups: Groups) -> str:
    """The counted values, group by group, largest first, and what they add up to."""
    sorted_groups = [sorted((values[at] for at in group), reverse=True) for group in groups]
    sorted_groups.sort(key=lambda group: (-sum(group), group))
    flat = [value for group in sorted_groups for value in group]
    if len(sorted_groups) == 1 or len(flat) == len(sorted_groups):
        return _equation(flat)
    terms = " + ".join(f"({_sum(group)})" for group in sorted_groups)
    return f"{terms} = {number(sum(flat))}"


def _equation(values: Sequence[int]) -> str:
    return number(values[0]) if len(values) == 1 else f"{_sum(values)} = {number(sum(values))}"


def _sum(values: Sequence[int]) -> str:
    first, *others = values
    terms = (f" {'−' if value < 0 else '+'} {abs(value)}" for value in others)
    return number(first) + "".join(terms)


def moved_to(piece: Piece) -> Text:
    """Where a piece goes, and why not further."""
    if piece.place is None:
        return Text(
            "No positive result, so the piece does not move.",
            "Kein positives Ergebnis, also zieht die Figur nicht.",
        )
    wanted = min(piece.result, LAST_PLACE)
    if piece.space is None:
        return Text(
            f"Every place from {wanted} down is taken, so the piece stays in the middle.",
            f"Ab {wanted} abwärts ist jeder Platz besetzt, also bleibt die Figur in der Mitte.",
        )
    end = Text(
        f"to space {piece.space}" + (", the 30+ marker is turned." if piece.marker else "."),
        f"auf Feld {piece.space}" + (", der 30+-Marker wird umgedreht." if piece.marker else "."),
    )
    if not piece.dropped:
        return Text(f"The piece goes {end.en}", f"Die Figur zieht {end.de}")
    return Text(
        f"Place {wanted} is taken, so the piece goes {end.en}",
        f"Platz {wanted} ist besetzt, also zieht die Figur {end.de}",
    )
