"""What cards are called and what they ask, in English and German; all wording is our own."""

from collections.abc import Sequence

from rules.dimension.cards import Card, Kind
from rules.texts import Text

LANGUAGES = ("en", "de")

COLOR_NAMES = {
    "O": Text("orange", "Orange"),
    "B": Text("blue", "Blau"),
    "G": Text("green", "Grün"),
    "K": Text("black", "Schwarz"),
    "W": Text("white", "Weiß"),
}
_DE_ADJECTIVE = {
    "O": "orangefarbene",
    "B": "blaue",
    "G": "grüne",
    "K": "schwarze",
    "W": "weiße",
}
_EN_NUMBERS = ("no", "one", "two", "three")
_DE_NUMBERS = ("keine", "eine", "zwei", "drei")


def adjective(color: str) -> Text:
    """A colour before the word sphere: ``blue`` / ``blaue`` (Kugel, Kugeln)."""
    return Text(COLOR_NAMES[color].en, _DE_ADJECTIVE[color])


def one_of(color: str) -> Text:
    """Some sphere of a colour: ``a blue one`` / ``eine blaue``."""
    shade = adjective(color)
    article = "an" if shade.en[0] in "aeiou" else "a"
    return Text(f"{article} {shade.en} one", f"eine {shade.de}")


def spheres(count: int, color: str) -> Text:
    """So many spheres of a colour: ``two blue spheres`` / ``zwei blaue Kugeln``."""
    few = count < len(_EN_NUMBERS)
    shade = adjective(color)
    return Text(
        f"{_EN_NUMBERS[count] if few else count} {shade.en} sphere{'' if count == 1 else 's'}",
        f"{_DE_NUMBERS[count] if few else count} {shade.de} Kugel{'' if count in (0, 1) else 'n'}",
    )


def enumeration(items: Sequence[str]) -> Text:
    """A list in words: ``R1, R2 and T0`` / ``R1, R2 und T0``."""
    if len(items) < 2:
        return Text("".join(items), "".join(items))
    start, last = ", ".join(items[:-1]), items[-1]
    return Text(f"{start} and {last}", f"{start} und {last}")


def card_name(card: Card) -> Text:
    """A few words to call a card by."""
    x, y = COLOR_NAMES[card.first], COLOR_NAMES[card.second]
    match card.kind:
        case Kind.EXACTLY:
            return Text(f"Exactly {card.number} {x.en}", f"Genau {card.number}-mal {x.de}")
        case Kind.TOUCH:
            return Text(f"{x.en.capitalize()} meets {y.en}", f"{x.de} trifft {y.de}")
        case Kind.APART:
            return Text(f"{x.en.capitalize()} shuns {y.en}", f"{x.de} meidet {y.de}")
        case Kind.NOT_ABOVE:
            return Text(f"{x.en.capitalize()} only at the bottom", f"{x.de} nur ganz unten")
        case Kind.NOT_BELOW:
            return Text(f"Nothing on {x.en}", f"Nichts auf {x.de}")
        case Kind.MORE:
            return Text(f"More {x.en} than {y.en}", f"Mehr {x.de} als {y.de}")
        case Kind.SUM4:
            return Text(f"Four of {x.en} and {y.en}", f"Vier aus {x.de} und {y.de}")


def card_sentence(card: Card) -> Text:
    """What a card asks for, in a full sentence."""
    x, y = adjective(card.first), adjective(card.second)
    match card.kind:
        case Kind.EXACTLY:
            wanted = spheres(card.number, card.first)
            return Text(
                f"The tray holds exactly {wanted.en}, no matter where.",
                f"Es {'liegt' if card.number == 1 else 'liegen'} genau {wanted.de} aus, egal wo.",
            )
        case Kind.TOUCH if card.first == card.second:
            return Text(
                f"Each {x.en} sphere has another {x.en} one beside, above or below it.",
                f"Jede {x.de} Kugel hat eine andere {x.de} neben, über oder unter sich.",
            )
        case Kind.TOUCH:
            return Text(
                f"If both colours are used, each {x.en} sphere has contact with "
                f"{one_of(card.second).en}, and each {y.en} one with {one_of(card.first).en}.",
                f"Liegen beide Farben aus, hat jede {x.de} Kugel Kontakt zu einer {y.de}n "
                f"und jede {y.de} zu einer {x.de}n.",
            )
        case Kind.APART:
            return Text(
                f"No {x.en} sphere has contact with {one_of(card.second).en}, "
                f"neither beside nor above it.",
                f"Keine {x.de} Kugel hat Kontakt zu einer {y.de}n, weder daneben noch darüber.",
            )
        case Kind.NOT_ABOVE:
            return Text(
                f"All {x.en} spheres lie in the holes of the tray, none of them on other spheres.",
                f"Alle {x.de}n Kugeln liegen in den Löchern des Tableaus, keine auf anderen.",
            )
        case Kind.NOT_BELOW:
            return Text(
                f"No {x.en} sphere carries another one.",
                f"Keine {x.de} Kugel trägt eine andere.",
            )
        case Kind.MORE:
            return Text(
                f"The tray holds more {x.en} spheres than {y.en} ones.",
                f"Auf dem Tableau liegen mehr {x.de} Kugeln als {y.de}.",
            )
        case Kind.SUM4:
            return Text(
                f"The {x.en} and the {y.en} spheres on the tray are four in all.",
                f"Die {x.de}n und die {y.de}n Kugeln auf dem Tableau sind zusammen vier.",
            )
