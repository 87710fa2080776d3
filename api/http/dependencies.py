"""What routes ask for, as typed dependencies.

All are asynchronous although they wait for nothing: FastAPI would call others in a thread each.
"""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from api.http.readiness import Readiness
from api.limits.quotas import Quotas
from api.profiles import Profiles, Trays
from api.settings import Settings
from api.workers.live import LivePool
from api.workers.readers import ReadingPool
from api.workers.solvers import SolverPool


async def _settings(connection: HTTPConnection) -> Settings:
    settings: Settings = connection.app.state.settings
    return settings


async def _readers(connection: HTTPConnection) -> ReadingPool:
    readers: ReadingPool = connection.app.state.readers
    return readers


async def _live(connection: HTTPConnection) -> LivePool:
    live: LivePool = connection.app.state.live
    return live


async def _trays(connection: HTTPConnection) -> Trays:
    trays: Trays = connection.app.state.trays
    return trays


async def _profiles(connection: HTTPConnection) -> Profiles:
    profiles: Profiles = connection.app.state.profiles
    return profiles


async def _readiness(connection: HTTPConnection) -> Readiness:
    readiness: Readiness = connection.app.state.readiness
    return readiness


async def _solvers(connection: HTTPConnection) -> SolverPool:
    solvers: SolverPool = connection.app.state.solvers
    return solvers


async def _quotas(connection: HTTPConnection) -> Quotas:
    quotas: Quotas = connection.app.state.quotas
    return quotas


CurrentSettings = Annotated[Settings, Depends(_settings)]
Readers = Annotated[ReadingPool, Depends(_readers)]
LiveCameras = Annotated[LivePool, Depends(_live)]
StorageReadiness = Annotated[Readiness, Depends(_readiness)]
KnownTrays = Annotated[Trays, Depends(_trays)]
KnownProfiles = Annotated[Profiles, Depends(_profiles)]
Solvers = Annotated[SolverPool, Depends(_solvers)]
CurrentQuotas = Annotated[Quotas, Depends(_quotas)]
