"""Bodies that differ from game to game: described for all games, checked by the table's own."""

from functools import reduce
from operator import or_
from typing import Any, TypeVar, cast

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, GetCoreSchemaHandler, ValidationError
from pydantic_core import core_schema

from api.games.registry import games_with, part
from api.tables.table_game import TableGame, spelled, table_game, table_games
from rules.games import DEFAULT

Asked = TypeVar("Asked", bound=BaseModel)


def models(name: str) -> list[type[BaseModel]]:
    """The models of this name (see ``api.tables.table_game.Models``), one a game."""
    found = [getattr(table_game(game).models, name) for game in table_games()]
    return [model for model in found if model is not None]


def answer(name: str) -> Any:
    """How OpenAPI describes an answer: as any of the games' models of this name."""
    return reduce(or_, models(name))


class GameBody:
    """Marks a request's body: described as any of the games' models, passed on as it came."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get_pydantic_core_schema__(
        self, _source: object, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        described = handler.generate_schema(answer(self._name))
        return core_schema.no_info_wrap_validator_function(lambda came, _: came, described)


def readings_answer() -> Any:
    """How OpenAPI describes the answer to photos."""
    found = [part(game, "readings") for game in games_with("readings")]
    return reduce(or_, cast(list[Any], found))


def checked(model: type[Asked], came: object) -> Asked:
    """The body by its model; raises as FastAPI does for one that is not of its form."""
    try:
        return model.model_validate(came)
    except ValidationError as error:
        wrong: list[Any] = [
            {**one, "loc": ("body", *one["loc"])} for one in error.errors(include_url=False)
        ]
        raise RequestValidationError(wrong) from error


def game_asked_for(came: object) -> tuple[TableGame, object]:
    """The game that a body names, and the body with its name as we spell it."""
    named = came.get("game", DEFAULT) if isinstance(came, dict) else DEFAULT
    if not isinstance(came, dict) or not isinstance(named, str):
        return table_game(DEFAULT), came
    return table_game(named), {**came, "game": spelled(named)} if "game" in came else came
