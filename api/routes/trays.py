"""Trays: measured from photos, listed, fetched."""

from typing import Annotated

from fastapi import APIRouter, Form, Path
from fastapi.concurrency import run_in_threadpool

from api.dependencies import CurrentSettings, KnownTrays, Readers
from api.models.profiles import MeasuredTray, ProfileBody, TraysAnswer
from api.problems import refusals
from api.trays import NAME
from api.uploads import Photos, take_photos

router = APIRouter(tags=["trays"])

TrayName = Annotated[str, Path(pattern=f"^{NAME}$", examples=["disc"])]


@router.get("/v1/trays")
def list_trays(trays: KnownTrays) -> TraysAnswer:
    """All trays that readings can be asked for by name."""
    return TraysAnswer.model_validate({"trays": trays.known()}, from_attributes=True)


@router.get("/v1/trays/{name}", responses=refusals(404, 409))
def fetch_tray(name: TrayName, trays: KnownTrays) -> ProfileBody:
    """A tray's profile."""
    return ProfileBody.model_validate(trays.get(name).to_json())


@router.post("/v1/trays", status_code=201, responses=refusals(400, 409, 413, 415, 503))
async def measure_tray(
    photos: Photos,
    name: Annotated[str, Form(json_schema_extra={"pattern": f"^{NAME}$"})],
    readers: Readers,
    trays: KnownTrays,
    settings: CurrentSettings,
    sphere_mm: Annotated[
        float | None,
        Form(gt=0, le=1000, allow_inf_nan=False, description="a sphere's diameter; else 25"),
    ] = None,
) -> MeasuredTray:
    """A tray measured from photos taken before the game, and kept under its name.

    All fifteen spheres lie in storage, the seven holes are empty. A photo of the empty tray may
    be added.
    """
    trays.check_free(name)
    taken = await take_photos(photos, settings)
    profile, warnings = await readers.measure([photo.content for photo in taken], name, sphere_mm)
    await run_in_threadpool(trays.add, profile)
    return MeasuredTray.model_validate({**profile.to_json(), "warnings": list(warnings)})
