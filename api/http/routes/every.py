"""All routes of the service, in the order in which they are asked."""

from typing import Any, cast

from api.games.registry import games_with, part
from api.http.routes import (
    disputes,
    events,
    evidence,
    health,
    invitations,
    live,
    pages,
    profiles,
    readings,
    rounds,
    samples,
    seals,
    table_trays,
    tables,
    trays,
)

_GAMES: tuple[Any, ...] = tuple(
    routes
    for game in games_with("routes")
    for routes in cast(tuple[Any, ...], part(game, "routes"))
)
"""Those that only one game has."""

ROUTES = (
    *(health, readings, *_GAMES, profiles, trays, samples, live),
    *(tables, table_trays, invitations, rounds, seals, disputes, evidence, events),
    pages,
)
