"""Whether the service is there, and which one."""

from fastapi import APIRouter

from api.http.dependencies import (
    CurrentSettings,
    KnownTrays,
    LiveCameras,
    Readers,
    StorageReadiness,
)
from api.http.routes.at_table import Tables
from api.models.service import Health, Version
from api.problems import Problem, refusals
from api.versions import versions

router = APIRouter(tags=["service"])


@router.get("/v1/health", responses=refusals(503))
async def health(
    readers: Readers,
    cameras: LiveCameras,
    settings: CurrentSettings,
    readiness: StorageReadiness,
    tables: Tables,
) -> Health:
    """That requests are answered and kept. Photos wait for the first worker that is warm.

    503 with the reason while disk or database do not work; it comes back by itself.
    """
    trouble = await readiness.trouble()
    if trouble is not None:
        later = {"Retry-After": str(trouble.retry_s)}
        raise Problem(503, trouble.code, f"Not ready: {trouble.text}", headers=later)
    return Health(
        status="ready",
        readers=readers.ready,
        readers_wanted=settings.workers,
        waiting=readers.waiting,
        cameras=cameras.cameras,
        data=tables.store.condition,
    )


@router.get("/v1/version")
def version(trays: KnownTrays) -> Version:
    """Versions of the program, its models and tray profiles."""
    return Version.model_validate({**versions(), "trays": trays.versions()})
