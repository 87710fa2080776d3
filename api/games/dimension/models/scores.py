"""Questions to the rules and their answers on the wire, as in docs/notation.md.

Questions are described exactly but checked loosely: what is wrong with a card, a ruling or a layout
the rules say themselves, with a code and a sentence of their own.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema

from api.games.dimension.models.readings import EXAMPLE_LAYOUT, LayoutText, ReadingBody
from api.models.texts import TextBody
from rules.dimension.board import MOST_SPHERES
from rules.dimension.cards import MOST_CARDS
from rules.dimension.layout import COLORS
from rules.dimension.moves import MOST_MOVES
from rules.dimension.rulings import ruling_choices

CARD = (
    f"^(exactly:[0-9][{COLORS}]|(touch|apart|more|sum4):[{COLORS}]{{2}}"
    f"|(notabove|notbelow):[{COLORS}])$"
)
EXAMPLE_CARDS: list[JsonValue] = ["touch:BK", "exactly:2O", "notabove:O"]

_card = {"type": "string", "pattern": CARD, "examples": EXAMPLE_CARDS}
_rulings = {
    name: {"type": "string", "enum": list(choices), "default": choices[0]}
    for name, choices in ruling_choices().items()
}


def _whole_number(most: int) -> dict[str, Any]:
    number = {"type": "integer", "minimum": 0, "maximum": most}
    return {"anyOf": [number, {"type": "null"}]}


Cards = Annotated[
    list[str],
    WithJsonSchema(
        {
            "type": "array",
            "items": _card,
            "minItems": 1,
            "maxItems": MOST_CARDS,
            "uniqueItems": True,
            "examples": [EXAMPLE_CARDS],
        }
    ),
]
EditionCode = Annotated[str, WithJsonSchema({"type": "string", "enum": ["en", "de"]})]
RulingChoices = Annotated[
    dict[str, Any],
    WithJsonSchema({"type": "object", "properties": _rulings, "additionalProperties": False}),
]


class Question(BaseModel):
    """What a score or a solution depends on besides the layout."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    cards: Cards = Field(description="the revealed cards' codes")
    edition: EditionCode = Field(default="en", description="whose bonus tokens are given")
    rulings: RulingChoices = Field(default={}, description="what the books leave open")
    most: Annotated[int | None, WithJsonSchema(_whole_number(MOST_SPHERES))] = Field(
        default=None, description="spheres on the fullest tray, for the German second chip"
    )
    deck: Literal["any"] | None = Field(
        default=None, description="any: cards need not be in the standard deck"
    )

    def asked(self) -> dict[str, Any]:
        """The question as ``rules.dimension.questions`` takes it."""
        return self.model_dump(by_alias=True, exclude_unset=True)


class ScoreQuestion(Question):
    """A layout or a reading to be scored: one of the two."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [{"required": ["layout"]}, {"required": ["reading"]}],
        }
    )

    layout: LayoutText | None = Field(default=None, json_schema_extra={"type": "string"})
    reading: ReadingBody | None = None


class SolutionQuestion(Question):
    """Cards to be solved; with a layout to start from, also the best within some moves."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"cards": EXAMPLE_CARDS},
                {"cards": EXAMPLE_CARDS, "from": EXAMPLE_LAYOUT, "moves": 1},
            ]
        }
    )

    start: LayoutText | None = Field(default=None, alias="from")
    moves: Annotated[int | None, WithJsonSchema(_whole_number(MOST_MOVES))] = Field(
        default=None, description="place, take off, relocate, or exchange with one from storage"
    )


class VerdictBody(BaseModel):
    """Whether a card is fulfilled, why, and the spheres to point at."""

    card: str
    fulfilled: bool
    reason: TextBody
    seats: list[str] = Field(description="culprits if it failed, else what to check by eye")
    contacts: list[list[str]] = Field(description="pairs of seats that touch")


class LayoutProblem(BaseModel):
    """Something that no tray can hold."""

    code: Literal["floating", "overlap", "too_many", "bad_letter", "bad_length"]
    seats: list[str]
    text: str


class PointsChance(BaseModel):
    """So many points, and how probable they are."""

    points: int
    p: float


class DoubtBody(BaseModel):
    """What a reading is worth, as far as it can be told."""

    points: list[PointsChance] = Field(description="most probable first")
    cards: dict[str, float] = Field(description="probability that each card is fulfilled")
    decisive: list[str] = Field(description="the seats that decide about the points")
    advice: str = Field(description="for people: how to settle it")


class ScoreAnswer(BaseModel):
    """What a layout scores; numbers are null if no tray can hold it (see ``problems``)."""

    spheres: int | None
    verdicts: list[VerdictBody]
    failed: int | None = Field(description="cards not fulfilled")
    penalty: int | None = Field(description="points lost for them")
    points: int | None = Field(description="spheres less the penalty")
    bonus: int | None = Field(description="bonus tokens")
    decisive_rulings: list[str] = Field(description="rulings that would change it if they differed")
    problems: list[LayoutProblem]
    doubt: DoubtBody | None = Field(default=None, description="with a reading")


class BonusLayout(BaseModel):
    """The best layout that earns a bonus token."""

    points: int
    layout: str


class BetterLayout(BaseModel):
    """The best within reach, and the moves in words."""

    points: int
    bonus: int
    layout: str
    moves: list[str]


class SolutionAnswer(BaseModel):
    """The proven best for the cards."""

    points: int
    bonus: int
    layout: str
    optimal: int = Field(description="layouts as good, those equal under rotation once")
    conflict: list[str] = Field(description="a smallest set of cards that cannot all be met")
    with_bonus: BonusLayout | None
    better: BetterLayout | None = Field(default=None, description="with from")


class CardBody(BaseModel):
    """A task card."""

    card: str = Field(description="its code")
    kind: str
    colors: list[str]
    number: int | None
    name: TextBody
    sentence: TextBody


class DeckAnswer(BaseModel):
    """The task cards."""

    cards: list[CardBody]
