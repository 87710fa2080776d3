"""JSON whose shape is a dataclass: checked against it, with all that is wrong in words.

The dataclass is the one place that says what the JSON looks like. Pydantic checks against it and
writes the JSON schema from it; here its errors become faults that a person can act on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property, partial
from typing import Any, Generic, Literal, TypeVar

from pydantic import GetCoreSchemaHandler, PlainSerializer, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema

T = TypeVar("T")

_RANKS = ("missing", "unknown", "wrong")

_WANTED = {
    "string_type": "a text",
    "string_too_long": "a text of at most {max_length} characters",
    "tuple_type": "a list",
    "too_long": "a list of at most {max_length}",
}
"""What should be there by the type of Pydantic's error; else an object."""


@dataclass(frozen=True)
class Fault:
    """Something in JSON that does not fit its shape."""

    where: str
    """The way to it, such as ``alternatives[0].layout``; empty for the whole."""
    kind: Literal["missing", "unknown", "wrong"]
    wanted: str = ""
    """What should be there, if something wrong is."""
    sentence: str = ""
    """What is wrong, where that takes a sentence of its own."""
    value: object = field(default=None, compare=False)


@dataclass(frozen=True)
class Wanted:
    """In an annotation, says in words what a value should be, whatever is wrong with it."""

    words: str

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Called by Pydantic when it reads the annotation."""
        return core_schema.no_info_wrap_validator_function(self._checked, handler(source))

    def _checked(self, value: object, check: Callable[[object], object]) -> object:
        try:
            return check(value)
        except ValidationError:
            raise PydanticCustomError("wanted", "{words}", {"words": self.words}) from None


def as_written(value: T, check: Callable[[T], object]) -> T:
    """The value itself once it is checked: 90 stays 90. For ``WrapValidator``."""
    check(value)
    return value


def rounded(digits: int) -> PlainSerializer:
    """In an annotation, says with how many digits a number is written."""
    return PlainSerializer(partial(round, ndigits=digits), return_type=float)


class Shape(Generic[T]):
    """The shape of JSON that a dataclass describes."""

    def __init__(
        self, kind: type[T], required: Sequence[str] = (), tags: frozenset[str] = frozenset()
    ) -> None:
        """JSON must have the ``required`` fields though the dataclass has defaults for them.

        ``tags`` are the values by which unions choose a member.
        """
        self._kind = kind
        self._required = required
        self._tags = tags

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        return TypeAdapter(self._kind)  # on first use: it takes some milliseconds

    def schema(self) -> dict[str, Any]:
        """The JSON schema."""
        schema = self._adapter.json_schema()
        return {
            **schema,
            "required": list(dict.fromkeys([*schema["required"], *self._required])),
        }

    def load(self, data: Mapping[str, Any]) -> T | tuple[Fault, ...]:
        """The value in decoded JSON, or all that is wrong: what is missing and unknown first."""
        found = [Fault(name, "missing") for name in self._required if name not in data]
        try:
            value = self._adapter.validate_python(data)
        except ValidationError as error:
            found += [self._fault(one) for one in error.errors(include_url=False)]
        else:
            if not found:
                return value
        ranked = sorted(dict.fromkeys(found), key=lambda fault: _RANKS.index(fault.kind))
        return tuple(ranked)

    def dump(self, value: T) -> dict[str, Any]:
        """The value as decoded JSON."""
        return dict(self._adapter.dump_python(value, mode="json"))

    def _fault(self, error: ErrorDetails) -> Fault:
        way = [step for step in error["loc"] if step not in self._tags]
        if way and way[-1] == "[key]":
            return Fault(_joined(way[:-1]), "unknown")
        where, value = _joined(way), error["input"]
        match error["type"]:
            case "missing":
                return Fault(where, "missing")
            case "unexpected_keyword_argument":
                return Fault(where, "unknown")
            case "union_tag_invalid" | "union_tag_not_found":
                tag = error["ctx"]["discriminator"].strip("'")
                value = value.get(tag) if isinstance(value, Mapping) else value
                wanted = f"one of {', '.join(sorted(self._tags))}"
                return Fault(f"{where}.{tag}", "wrong", wanted, value=value)
            case "wanted":
                return Fault(where, "wrong", error["msg"], value=value)
            case "sentence":
                return Fault(where, "wrong", sentence=error["msg"], value=value)
            case "literal_error":
                wanted = error["ctx"]["expected"].replace("'", "")
                return Fault(where, "wrong", wanted, value=value)
            case other:
                wanted = _WANTED.get(other, "an object").format(**error.get("ctx", {}))
                return Fault(where, "wrong", wanted, value=value)


def refusal(sentence: str) -> PydanticCustomError:
    """What a validator raises to say in a sentence of its own what is wrong."""
    return PydanticCustomError("sentence", "{sentence}", {"sentence": sentence})


def to_json(value: object) -> Any:
    """A dataclass as decoded JSON; fields that are None or empty mappings are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        entries = ((one.name, getattr(value, one.name)) for one in fields(value))
        return {name: to_json(entry) for name, entry in entries if entry not in (None, {})}
    if isinstance(value, Mapping):
        return {str(key): to_json(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [to_json(entry) for entry in value]
    return value


def _joined(way: list[int | str]) -> str:
    """The way to a value: ``seats.C.p``, ``alternatives[0].layout``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in way)
    return "".join(steps).removeprefix(".")
