"""All routes of the service, in the order in which they are asked."""

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
    scores,
    seals,
    table_trays,
    tables,
    trays,
)

ROUTES = (
    *(health, readings, scores, profiles, trays, samples, live),
    *(tables, table_trays, invitations, rounds, seals, disputes, evidence, events),
    pages,
)
