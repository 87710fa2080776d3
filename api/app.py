"""The service, put together: settings, protection, problems, routes."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.routing import APIRoute

from api.problems import add_problem_handlers, refusals
from api.routes import health
from api.settings import Settings

ROUTES = (health,)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service with these settings; without any, with those of the environment."""
    app = FastAPI(
        title="Trayscore",
        summary="Photograph a Dimension tray; get its layout, every card's verdict and the score.",
        version=version("trayscore"),
        openapi_url="/v1/openapi.json",
        docs_url=None,  # they would load scripts from the internet
        redoc_url=None,
        lifespan=_running,
        responses=refusals(422, 429),
        generate_unique_id_function=_operation,
    )
    app.state.settings = settings or Settings()
    add_problem_handlers(app)
    for routes in ROUTES:
        app.include_router(routes.router)
    return app


@asynccontextmanager
async def _running(app: FastAPI) -> AsyncIterator[None]:  # noqa: ARG001 - resources come
    """What the service needs while it runs, opened in this order and closed in the other."""
    async with AsyncExitStack():
        yield


def _operation(route: APIRoute) -> str:
    return route.name
