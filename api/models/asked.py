"""What requests are made of: names, texts and PINs, checked as they come in."""

from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, StringConstraints
from pydantic_core import PydanticCustomError

from api.names import BadName, look_alike, tidied, tidied_text


def _checked(tidy: Callable[[str], str]) -> Callable[[object], object]:
    """A validator that tidies a text, and refuses it with the code ``bad_name``."""

    def checked(given: object) -> object:
        if not isinstance(given, str):
            return given
        try:
            return tidy(given)
        except BadName as error:
            raise PydanticCustomError("bad_name", "{text}", {"text": str(error)}) from error

    return checked


PlayerName = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=40, pattern=r"^[^/\\\x00-\x1f\x7f]+$"
    ),
]
"""A name that can stand in a path, as tables of all times have them."""

NewName = Annotated[PlayerName, BeforeValidator(_checked(tidied))]
"""The name of somebody who sits down at a new table."""


def _told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    alike = look_alike(names)
    if alike is not None and alike[0] != alike[1]:  # of equal ones the rules tell
        text = f"{alike[0]} and {alike[1]} look alike: choose names that nobody mixes up."
        raise PydanticCustomError("names_alike", "{text}", {"text": text})
    return names


NewNames = Annotated[tuple[NewName, ...], AfterValidator(_told_apart)]
"""The names of all who play at a table; no two of them look alike."""

TrayName = Annotated[str, StringConstraints(max_length=80)]
FreeText = Annotated[
    str,
    StringConstraints(max_length=400, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$"),
    BeforeValidator(_checked(tidied_text)),
]
Pin = Annotated[str, StringConstraints(pattern=r"^[0-9]{4,8}$")]


class Asked(BaseModel):
    """A request: fields that nobody knows are refused, so that no spelling mistake goes unseen."""

    model_config = ConfigDict(extra="forbid", frozen=True)
