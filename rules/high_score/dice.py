"""Dice as one line: seven letters of ``1``–``5`` and ``V``, in any order."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.errors import RulesError

FACES = "12345V"
"""The six faces of a die; sorted dice follow this order."""

VORTEX = "V"
DICE = 7


@dataclass(frozen=True)
class Problem:
    """Something wrong with a text as dice: a code, the places in the text, a sentence."""

    code: str
    places: tuple[int, ...]
    text: str

    def to_json(self) -> dict[str, object]:
        """The problem as a JSON object."""
        return {"code": self.code, "places": list(self.places), "text": self.text}


class DiceError(RulesError):
    """A text that is not the dice it should be; ``problems`` has everything that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("bad_dice", " ".join(problem.text for problem in problems))
        self.problems = problems


@dataclass(frozen=True)
class Dice:
    """The top faces of some dice, in the order in which they were told.

    >>> str(Dice.parse("5533V12"))
    '5533V12'
    >>> str(Dice.parse("5533V12").sorted())
    '123355V'
    >>> [problem.code for problem in problems("56")]
    ['bad_count', 'bad_face']
    """

    faces: str

    def __post_init__(self) -> None:
        wrong = tuple(_wrong_faces(self.faces))
        if wrong:
            raise DiceError(wrong)

    @classmethod
    def parse(cls, text: str, count: int | None = DICE) -> "Dice":
        """The dice of a text; ``count`` is how many there must be, ``None`` for any number."""
        wrong = problems(text, count)
        if wrong:
            raise DiceError(wrong)
        return cls(text)

    def __str__(self) -> str:
        return self.faces

    def __len__(self) -> int:
        return len(self.faces)

    @property
    def vortices(self) -> int:
        """How many vortices there are."""
        return self.faces.count(VORTEX)

    def sorted(self) -> "Dice":
        """The same dice from 1 to 5, vortices last."""
        return Dice("".join(sorted(self.faces)))

    def has(self, other: "Dice") -> bool:
        """Whether the other dice are among these."""
        return all(self.faces.count(face) >= other.faces.count(face) for face in FACES)

    def without(self, other: "Dice") -> "Dice":
        """These dice, sorted, with the others taken away."""
        left = {face: self.faces.count(face) - other.faces.count(face) for face in FACES}
        return Dice("".join(face * count for face, count in left.items()))


def problems(text: str, count: int | None = DICE) -> tuple[Problem, ...]:
    """All that is wrong with a text as so many dice, at once."""
    return (*_wrong_count(text, count), *_wrong_faces(text))


def _wrong_count(text: str, count: int | None) -> Iterator[Problem]:
    if count is not None and len(text) != count:
        dice = "die" if len(text) == 1 else "dice"
        yield Problem("bad_count", (), f"{count} dice are needed, {len(text)} {dice} given.")


def _wrong_faces(text: str) -> Iterator[Problem]:
    for place, face in enumerate(text):
        if face not in FACES:
            told = f"{face!r} (die {place + 1}) is not a face. Use 1 to 5, or V for a vortex."
            yield Problem("bad_face", (place,), told)
