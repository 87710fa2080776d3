"""The calls of the service that only Dimension has."""

from api.games.dimension.routes import hourglass, overlays, scores

ROUTES = (scores, overlays, hourglass)
