"""Questions as programs ask them: JSON objects in, JSON objects out, checked field by field."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from rules.cube.building import (
    COLORS,
    SIZE,
    Building,
    BuildingError,
    Cube,
    Supply,
    problems,
)
from rules.cube.cards import Card
from rules.cube.hints import hints
from rules.cube.judge import judge
from rules.cube.moves import movable
from rules.errors import RulesError

Question = Mapping[str, Any]
Json = dict[str, Any]

MOST_CARDS = 12
"""Cards in one question."""


@dataclass(frozen=True)
class Terms:
    """What a question is about besides the building: cards, colours, supply."""

    cards: tuple[Card, ...]
    colors: str
    supply: Supply | None


def terms(question: Question) -> Terms:
    """The terms of a question; raises ``RulesError`` for a bad one."""
    supply = _supply(question)
    colors = _colors(question, supply)
    odd = set(supply or ()) - set(colors)
    if odd:
        raise RulesError("bad_supply", f"No colour of these cubes: {', '.join(sorted(odd))}.")
    return Terms(_cards(question, colors), colors, supply)


def answer_score(question: Question) -> Json:
    """The answer of ``score`` in the contract; raises ``RulesError`` for a bad question."""
    given, text = terms(question), _board_text(question)
    wrong = problems(text, given.colors, given.supply)
    if wrong:
        verdicts = dict.fromkeys(map(str, given.cards))
        return {"cards": verdicts, "shown": {}, "problems": [each.to_json() for each in wrong]}
    building = Building.parse(text, given.colors)
    judged = judge(building, given.cards, given.colors, given.supply)
    return {
        "cards": {str(verdict.card): verdict.fulfilled for verdict in judged},
        "shown": {str(v.card): v.shown() for v in judged if v.fulfilled is not False},
        "problems": [],
    }


def answer_moves(question: Question) -> Json:
    """The answer of ``moves`` in the contract; raises ``RulesError`` for a bad question."""
    colors = _colors(question, _supply(question))
    building = Building.parse(_board_text(question), colors)
    cubes = movable(
        building,
        cube_of(question.get("last"), "last"),
        _flag(question, "first_round"),
        _flag(question, "closed_rows"),
    )
    return {"movable": list(map(list, cubes))}


def answer_solve(question: Question) -> Json:
    """The answer of ``solve`` in the contract; raises ``RulesError`` for a bad question.

    With a board the question is what one turn can fulfil; otherwise, the smallest building.
    """
    given = terms(question)
    if question.get("board") is not None:
        return {"hints": _hints(question, given)}
    if not given.cards:
        raise RulesError("bad_cards", "There is nothing to solve: name at least one card.")
    from rules.cube.solver import solve  # noqa: PLC0415 - numpy takes time

    return solve(given.cards, given.colors, given.supply).to_json()


def _hints(question: Question, given: Terms) -> list[Json]:
    text = _board_text(question)
    wrong = problems(text, given.colors, given.supply)
    if wrong:
        raise BuildingError(wrong)
    building = Building.parse(text, given.colors)
    may_move = movable(
        building,
        cube_of(question.get("last"), "last"),
        _flag(question, "first_round"),
        _flag(question, "closed_rows"),
    )
    bag = _bag(question, given.colors)
    found = hints(building, given.cards, may_move, bag, given.colors, given.supply)
    return [{"card": str(card), **step.to_json()} for card, step in found]


def _bag(question: Question, colors: str) -> str:
    """The colours that may be drawn: a list or a text of letters; all, if nothing is said."""
    given = question.get("bag")
    if given is None:
        return colors
    if not isinstance(given, list | str) or not all(isinstance(color, str) for color in given):
        raise RulesError("bad_bag", 'A bag is a list of colours, like ["R", "B"].')
    odd = sorted(set(given) - set(colors))
    if odd:
        raise RulesError("bad_bag", f"No colour of these cubes: {', '.join(odd)}.")
    return "".join(color for color in colors if color in given)


def cube_of(value: object, name: str) -> Cube | None:
    """The cube of a JSON value, ``None`` for null; raises ``bad_cube`` if it is neither."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 3 or not all(map(_is_coordinate, value)):
        raise RulesError("bad_cube", f"The field {name} is a cube like [0, 3, 1], or null.")
    x, y, z = value
    return x, y, z


def _cards(question: Question, colors: str) -> tuple[Card, ...]:
    codes = question.get("cards")
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise RulesError("bad_cards", 'A question needs a list of cards, like ["RB/YG"].')
    if len(codes) > MOST_CARDS:
        raise RulesError("bad_cards", f"At most {MOST_CARDS} cards, not {len(codes)}.")
    return tuple(dict.fromkeys(Card.parse(code, colors) for code in codes))


def _board_text(question: Question) -> str:
    text = question.get("board")
    if not isinstance(text, str):
        like = '"board": "R,.,.,Y/.,BG,.,./.,.,.,./B,.,.,G"'
        raise RulesError("bad_board", f"A question needs a board, like {like}.")
    return text


def _supply(question: Question) -> Supply | None:
    given = question.get("supply")
    if given is None:
        return None
    if not isinstance(given, Mapping) or not all(map(_is_count, given.values())):
        raise RulesError("bad_supply", 'A supply has a number a colour, like {"R": 16}.')
    return dict(given)


def _colors(question: Question, supply: Supply | None) -> str:
    """The four letters of the cubes: as asked for, else the supply's if it names four others."""
    given = question.get("colors")
    if given is None:
        return "".join(supply) if supply and _are_colors("".join(supply)) else COLORS
    if not isinstance(given, str) or not _are_colors(given):
        raise RulesError("bad_colors", "Colours are four different capital letters, like RYBG.")
    return given


def _are_colors(letters: str) -> bool:
    capitals = letters.isascii() and letters.isalpha() and letters.isupper()
    return capitals and len(letters) == len(set(letters)) == SIZE


def _flag(question: Question, name: str) -> bool:
    value = question.get(name)
    if value is not None and not isinstance(value, bool):
        raise RulesError(f"bad_{name}", f"The field {name} is true or false.")
    return value is True


def _is_coordinate(value: object) -> TypeGuard[int]:
    return _is_count(value) and value < SIZE


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
