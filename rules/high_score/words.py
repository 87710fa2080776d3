"""What a challenge asks, in English and German; all wording is our own."""

from collections.abc import Sequence

from rules.high_score.challenges import Challenge, Scoring, Vortex, Way
from rules.texts import Text

LANGUAGES = ("en", "de")

SCORING_NAMES = {
    Scoring.TOTAL: Text("Total", "Summe"),
    Scoring.SAME: Text("Same numbers", "Gleiche Zahlen"),
    Scoring.SAME_REST: Text("Same numbers minus rest", "Gleiche Zahlen minus Rest"),
    Scoring.TENS_REST: Text("Tens minus rest", "Zehner minus Rest"),
    Scoring.PAIRS: Text("Pairs", "Paare"),
    Scoring.PAIRS_REST: Text("Pairs minus rest", "Paare minus Rest"),
    Scoring.TRIPLES_REST: Text("Triples minus rest", "Drillinge minus Rest"),
    Scoring.ODD: Text("Odd numbers", "Ungerade Zahlen"),
    Scoring.ODD_REST: Text("Odd numbers minus rest", "Ungerade Zahlen minus Rest"),
    Scoring.SHOWN_REST: Text("1 to 4 minus rest", "1 bis 4 minus Rest"),
    Scoring.RUN: Text("Run and vortices", "Reihe und Wirbel"),
}
_SCORING_SENTENCES = {
    "total": Text("All dice are added up.", "Alle Würfel werden zusammengezählt."),
    "same": Text(
        "Numbers that occur at least twice count.", "Zahlen, die mindestens zweimal liegen, zählen."
    ),
    "tens": Text(
        "Dice that make exactly ten together count.",
        "Würfel, die zusammen genau zehn ergeben, zählen.",
    ),
    "pairs": Text("Pairs count.", "Paare zählen."),
    "triples": Text("Three of a kind count.", "Drillinge zählen."),
    "odd": Text("Ones, threes and fives count.", "Einser, Dreier und Fünfer zählen."),
    "shown": Text("Values from 1 to 4 count.", "Werte von 1 bis 4 zählen."),
    "run": Text(
        "Dice count from 1 upwards until the first number is missing. Vortices always count.",
        "Es zählen die Würfel ab 1 aufwärts, bis die erste Zahl fehlt. Wirbel zählen immer.",
    ),
}
_REST_SENTENCE = Text("All other dice are subtracted.", "Alle anderen Würfel werden abgezogen.")
WAY_NAMES = {
    Way.FOUR: Text("Four full rolls", "Vier volle Würfe"),
    Way.THREE: Text("Any three rolls", "Drei freie Würfe"),
    Way.ASIDE: Text("Set aside", "Beiseitelegen"),
}
_WAY_SENTENCES = {
    Way.FOUR: Text(
        "Roll all seven dice up to four times. The last roll counts.",
        "Wirf alle sieben Würfel bis zu viermal. Der letzte Wurf zählt.",
    ),
    Way.THREE: Text(
        "Roll up to three times. Each time, pick up any dice you like.",
        "Wirf bis zu dreimal. Nimm jedes Mal beliebige Würfel auf.",
    ),
    Way.ASIDE: Text(
        "After each roll, set at least one die aside for good, until none is left.",
        "Lege nach jedem Wurf mindestens einen Würfel endgültig beiseite, bis keiner übrig ist.",
    ),
}


def number(value: int) -> str:
    """A whole number with a real minus sign."""
    return f"{value}".replace("-", "−")


def enumeration(items: Sequence[str]) -> Text:
    """A list in words: ``6, 6 and 0`` / ``6, 6 und 0``."""
    if len(items) < 2:
        return Text("".join(items), "".join(items))
    start, last = ", ".join(items[:-1]), items[-1]
    return Text(f"{start} and {last}", f"{start} und {last}")


def joined(texts: Sequence[Text]) -> Text:
    """Sentences one after the other."""
    return Text(" ".join(text.en for text in texts), " ".join(text.de for text in texts))


def scoring_sentence(challenge: Challenge) -> Text:
    """Which dice count, in full sentences."""
    sentence = _SCORING_SENTENCES[challenge.scoring.removesuffix("-rest")]
    return joined([sentence, _REST_SENTENCE]) if challenge.scoring.minus_rest else sentence


def way_sentence(challenge: Challenge) -> Text:
    """How to roll, in full sentences."""
    return _WAY_SENTENCES[challenge.way]


def vortex_name(challenge: Challenge) -> Text:
    """What a vortex is worth, in a word."""
    match challenge.vortex:
        case Vortex.FROZEN:
            return Text("frozen", "eingefroren")
        case Vortex.FREE:
            return Text("free", "frei")
        case worth:
            return Text(number(worth), number(worth))


def vortex_sentence(challenge: Challenge) -> Text:
    """What a vortex is worth, in full sentences."""
    match challenge.vortex:
        case Vortex.FROZEN if challenge.way is Way.ASIDE:
            return Text(
                "A vortex is worth 0 and must be set aside at once.",
                "Ein Wirbel ist 0 wert und muss sofort beiseitegelegt werden.",
            )
        case Vortex.FROZEN:
            return Text(
                "A vortex is worth 0 and may not be rolled again.",
                "Ein Wirbel ist 0 wert und darf nicht noch einmal geworfen werden.",
            )
        case Vortex.FREE:
            return Text(
                "Each vortex is worth whatever helps you most, from 0 to 6.",
                "Jeder Wirbel ist so viel wert, wie dir am meisten hilft, von 0 bis 6.",
            )
        case worth:
            return Text(
                f"A vortex is worth {number(worth)}.", f"Ein Wirbel ist {number(worth)} wert."
            )


def challenge_name(challenge: Challenge) -> Text:
    """A challenge in a few words: its three parts."""
    parts = (
        SCORING_NAMES[challenge.scoring],
        WAY_NAMES[challenge.way],
        vortex_name(challenge),
    )
    return Text(
        "{}, {}, vortex {}".format(*(part.en for part in parts)),
        "{}, {}, Wirbel {}".format(*(part.de for part in parts)),
    )
