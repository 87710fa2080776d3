"""What the game's things are called in English, German and French; all wording is our own."""

from collections.abc import Sequence

from rules.cube.building import Cube
from rules.cube.views import Side
from rules.texts import Text

COLOR_NAMES = {
    "R": Text("red", "rot", "rouge"),
    "Y": Text("yellow", "gelb", "jaune"),
    "B": Text("blue", "blau", "bleu"),
    "G": Text("green", "grün", "vert"),
    "O": Text("orange", "orange", "orange"),
    "W": Text("white", "weiß", "blanc"),
    "K": Text("black", "schwarz", "noir"),
    "N": Text("natural", "natur", "naturel"),
}
"""The letters that profiles use; any other letter stands for itself."""

SIDE_NAMES = {
    Side.TOP: Text("from above", "von oben", "d’en haut"),
    Side.SOUTH: Text("from the south", "von Süden", "depuis le sud"),
    Side.NORTH: Text("from the north", "von Norden", "depuis le nord"),
    Side.WEST: Text("from the west", "von Westen", "depuis l’ouest"),
    Side.EAST: Text("from the east", "von Osten", "depuis l’est"),
}
"""Where one looks from, as part of a sentence."""


def color_name(letter: str) -> Text:
    """The name of a colour."""
    return COLOR_NAMES.get(letter.upper(), Text(letter, letter, letter))


def cube_name(cube: Cube) -> Text:
    """Where a cube is, in words: column from the west, row from the north, level from below."""
    x, y, z = (number + 1 for number in cube)
    return Text(
        f"column {x}, row {y}, level {z}",
        f"Spalte {x}, Reihe {y}, Ebene {z}",
        f"colonne {x}, rangée {y}, étage {z}",
    )


def enumeration(items: Sequence[Text]) -> Text:
    """A list in words: ``red, blue and green``."""
    if not items:
        return Text("", "", "")
    *start, last = items
    if not start:
        return last
    return Text(
        f"{', '.join(text['en'] for text in start)} and {last['en']}",
        f"{', '.join(text['de'] for text in start)} und {last['de']}",
        f"{', '.join(text['fr'] for text in start)} et {last['fr']}",
    )
