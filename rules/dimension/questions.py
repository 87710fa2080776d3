"""Questions to the rules engine as programs ask them: JSON objects, checked field by field."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.dimension.board import MOST_SPHERES
from rules.dimension.cards import Card, Deck, parse_cards, standard_deck
from rules.dimension.editions import ENGLISH, Edition, edition
from rules.dimension.layout import Layout, problems
from rules.dimension.rulings import Rulings
from rules.dimension.scoring import score_round, unscored_json
from rules.dimension.words import card_name, card_sentence
from rules.errors import RulesError

Json = dict[str, Any]


@dataclass(frozen=True)
class Terms:
    """What a score or a solution depends on besides the layout."""

    cards: tuple[Card, ...]
    edition: Edition
    rulings: Rulings
    most: int | None


def terms(question: Mapping[str, Any], deck: Deck | None = None) -> Terms:
    """The terms of a question; raises ``RulesError`` if a field is not what it should be.

    ``deck`` is the one that cards must come from where the question does not say ``any``.
    """
    codes = question.get("cards")
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise RulesError("bad_cards", 'A question needs cards, like "cards": ["touch:BK"].')
    any_card = question.get("deck")
    if any_card not in (None, "any"):
        raise RulesError("bad_deck", 'The field deck can only be "any".')
    rulings = question.get("rulings", {})
    if not isinstance(rulings, Mapping):
        raise RulesError("bad_ruling", 'Rulings are an object, like {"total": "floor"}.')
    return Terms(
        cards=parse_cards(codes, None if any_card else deck or standard_deck()),
        edition=_edition(question.get("edition", ENGLISH.code)),
        rulings=Rulings.parse(rulings),
        most=_number(question, "most", MOST_SPHERES),
    )


def answer_score(question: Mapping[str, Any], deck: Deck | None = None) -> Json:
    """The answer to ``score``."""
    given = terms(question, deck)
    text = _layout_text(question, "layout")
    wrong = problems(text)
    if wrong:
        return unscored_json(wrong)
    layout = Layout.parse(text)
    return score_round(layout, given.cards, given.edition, given.rulings, given.most).to_json()


def answer_solve(question: Mapping[str, Any], deck: Deck | None = None) -> Json:
    """The answer to ``solve``."""
    from rules.dimension.moves import MOST_MOVES, better_from  # noqa: PLC0415 - numpy takes time
    from rules.dimension.solver import solve  # noqa: PLC0415

    given = terms(question, deck)
    answer = solve(given.cards, given.edition, given.rulings, given.most).to_json()
    if question.get("from") is None:
        return answer
    start = Layout.parse(_layout_text(question, "from"))
    moves = _number(question, "moves", MOST_MOVES)
    better = better_from(
        start,
        MOST_MOVES if moves is None else moves,
        given.cards,
        given.edition,
        given.rulings,
        given.most,
    )
    return {**answer, "better": better.to_json()}


def describe(card: Card) -> Json:
    """A card with all there is to say about it."""
    return {
        "card": str(card),
        "kind": str(card.kind),
        "colors": list(card.colors),
        "number": card.number or None,
        "name": card_name(card).to_json(),
        "sentence": card_sentence(card).to_json(),
    }


def _edition(code: object) -> Edition:
    return edition(code if isinstance(code, str) else repr(code))


def _layout_text(question: Mapping[str, Any], name: str) -> str:
    text = question.get(name)
    if not isinstance(text, str):
        raise RulesError("bad_layout", f'A question needs {name}, like "OKBGGWB/K.B.O./K".')
    return text


def _number(question: Mapping[str, Any], name: str, most: int) -> int | None:
    value = question.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise RulesError(f"bad_{name}", f"The field {name} is a whole number from 0 to {most}.")
    return value
