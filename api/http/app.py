"""The service, put together: settings, protection, problems, routes, and what runs beside it."""

import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from anyio import to_thread
from fastapi import FastAPI

from api.http.description import DescribedApi
from api.http.limits import Limits
from api.http.logs import RequestLog
from api.http.proxies import Proxies
from api.http.readiness import Readiness, storage_trouble
from api.http.routes.every import ROUTES
from api.http.routes.pages import add_page
from api.http.security import Security, allow_origins
from api.limits.quotas import Quotas
from api.limits.refusals import Refusals
from api.problems import add_problem_handlers
from api.profiles import Profiles, Trays
from api.settings import Settings
from api.tables.drawings import Drawings
from api.tables.kept_photos import RESERVE
from api.tables.opening import open_tables
from api.workers.live import LivePool
from api.workers.readers import ReadingPool
from api.workers.solvers import SolverPool
from calibration.profile_files import PROFILES

_THREADS, _TURN_S = 4, 0.001
"""Commands that run at a time, and how soon one of them lets the event loop have its turn: threads
take turns with it, so with forty of them everybody else waits. Set by thought; the four runs of
80 photos at once, two with and two without it, were on a machine too busy to tell them apart."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service with these settings; without any, with those of the environment."""
    settings = settings or Settings()
    app = DescribedApi(lifespan=_running)
    app.state.settings = settings
    app.state.profiles = profiles = Profiles(settings.data_dir / PROFILES, settings.most_trays)
    app.state.trays = Trays(profiles)
    add_problem_handlers(app)
    app.state.quotas = quotas = Quotas(settings)
    app.state.refusals = refusals = Refusals()
    # The last one added is the first to see a request.
    app.add_middleware(Limits, settings=settings, quotas=quotas, refusals=refusals)
    allow_origins(app, settings)
    app.add_middleware(Security, settings=settings, refusals=refusals)
    app.add_middleware(RequestLog, refusals=refusals)
    app.add_middleware(Proxies, settings=settings)
    for routes in ROUTES:
        app.include_router(routes.router)
    add_page(app, [call for routes in ROUTES for call in routes.router.routes])
    return app


@asynccontextmanager
async def _running(app: FastAPI) -> AsyncIterator[None]:
    """What the service needs while it runs, opened in this order and closed in the other."""
    settings: Settings = app.state.settings
    sys.setswitchinterval(_TURN_S)
    to_thread.current_default_thread_limiter().total_tokens = _THREADS
    async with AsyncExitStack() as stack:
        app.state.tables = await stack.enter_async_context(open_tables(settings))
        probe = partial(storage_trouble, app.state.tables.store, RESERVE)
        app.state.readiness = Readiness(probe)
        stack.callback(app.state.readiness.close)
        app.state.readers = await stack.enter_async_context(ReadingPool(settings))
        app.state.solvers = await stack.enter_async_context(SolverPool(settings))
        app.state.live = await stack.enter_async_context(LivePool(settings))
        app.state.drawings = Drawings(
            app.state.tables, app.state.readers, settings.disk_limit_mb * 1_000_000
        )
        yield
