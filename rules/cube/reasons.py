"""Why a card is fulfilled or not, and why a cube stays, in words that end an argument."""

from collections import Counter
from collections.abc import Sequence

from rules.cube.building import UNKNOWN, Building, Cube
from rules.cube.views import Side
from rules.cube.words import SIDE_NAMES, color_name, cube_name, enumeration
from rules.texts import Text

HELD = {
    "covered": Text(
        "Another cube stands on it.", "Ein anderer steht darauf.", "Un autre cube est posé dessus."
    ),
    "twin": Text(
        "A twin stays where it is.", "Ein Zwilling bleibt, wo er ist.", "Un jumeau reste en place."
    ),
    "last_moved": Text(
        "It was moved in the turn before.",
        "Er wurde im Zug davor versetzt.",
        "Il a été déplacé au coup précédent.",
    ),
    "corner": Text(
        "The corners stay in the first round.",
        "Die Ecken bleiben in der ersten Runde.",
        "Les coins restent en place au premier tour.",
    ),
    "closed_level": Text(
        "Its level is full and so closed.",
        "Seine Ebene ist voll und damit geschlossen.",
        "Son étage est plein, donc fermé.",
    ),
    "closed_row": Text(
        "Its row of four is full and so closed.",
        "Seine Viererreihe ist voll und damit geschlossen.",
        "Sa rangée de quatre est pleine, donc fermée.",
    ),
}
"""Why a cube may not be moved, by the name of the rule (see ``moves.why_held``)."""


def found(side: Side) -> Text:
    """Where one sees the pattern."""
    name = SIDE_NAMES[side]
    return Text(
        f"The pattern shows {name['en']}.",
        f"Das Muster ist {name['de']} zu sehen.",
        f"Le motif est visible {name['fr']}.",
    )


def found_either_way() -> Text:
    """The pattern shows however the unseen cubes are coloured."""
    return Text(
        "Whatever the hidden colours are, the pattern shows.",
        "Das Muster ist zu sehen, gleich welche Farben verdeckt sind.",
        "Le motif est visible, quelles que soient les couleurs cachées.",
    )


def not_found(wanted: str, building: Building) -> Text:
    """No view shows the pattern, perhaps since cubes of a colour are missing."""
    there = Counter(letter.upper() for _, letter in building)
    short = [
        color for color, count in Counter(wanted).items() if count > there[color] + there[UNKNOWN]
    ]
    if not short:
        return Text(
            "No view shows the pattern.",
            "Von keiner Seite ist das Muster zu sehen.",
            "Le motif n’est visible d’aucun côté.",
        )
    names = enumeration([color_name(color) for color in short])
    return Text(
        f"Too few cubes for the pattern: {names['en']}.",
        f"Zu wenige Würfel für das Muster: {names['de']}.",
        f"Trop peu de cubes pour le motif : {names['fr']}.",
    )


def undecided(deciding: Sequence[Cube]) -> Text:
    """Which cubes must be looked at."""
    where = [cube_name(cube) for cube in deciding]
    each = Text(*("; ".join(place[language] for place in where) for language in ("en", "de", "fr")))
    return Text(
        f"Nobody saw what decides: {each['en']}.",
        f"Niemand sah, was entscheidet: {each['de']}.",
        f"Personne n’a vu ce qui décide : {each['fr']}.",
    )
