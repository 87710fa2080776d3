"""Whether the service is there, and which one."""

from fastapi import APIRouter

from api.dependencies import CurrentSettings, KnownTrays, LiveCameras, Readers
from api.models.service import Health, Version
from api.routes.at_table import Tables
from api.versions import versions

router = APIRouter(tags=["service"])


@router.get("/v1/health")
async def health(
    readers: Readers, cameras: LiveCameras, settings: CurrentSettings, tables: Tables
) -> Health:
    """That requests are answered. Photos wait for the first worker that is warm."""
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
