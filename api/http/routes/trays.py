"""Trays: the profiles of kind ``tray``, by the addresses they had first."""

from typing import Annotated

from fastapi import APIRouter, Form

from api.http.dependencies import CurrentSettings, KnownProfiles, KnownTrays, Readers
from api.http.routes.profiles import NewProfileName, ProfileKey, ProfileName, measured_once
from api.http.uploads import Photos, take_photos
from api.models.profiles import MeasuredBody, ProfileBody, TraysAnswer
from api.problems import refusals
from api.profiles import TRAY

router = APIRouter(tags=["trays"])


@router.get("/v1/trays")
def list_trays(trays: KnownTrays) -> TraysAnswer:
    """All trays that readings can be asked for by name."""
    return TraysAnswer.model_validate({"trays": trays.known()}, from_attributes=True)


@router.get("/v1/trays/{name}", responses=refusals(404, 409))
def fetch_tray(name: ProfileName, trays: KnownTrays) -> ProfileBody:
    """A tray's profile."""
    return ProfileBody.model_validate(trays.get(name).to_json())


@router.post("/v1/trays", status_code=201, responses=refusals(400, 409, 413, 415, 503))
async def measure_tray(
    photos: Photos,
    name: NewProfileName,
    readers: Readers,
    profiles: KnownProfiles,
    settings: CurrentSettings,
    sphere_mm: Annotated[
        float | None,
        Form(gt=0, le=1000, allow_inf_nan=False, description="a sphere's diameter; else 25"),
    ] = None,
    key: ProfileKey = None,
) -> MeasuredBody:
    """A tray measured from photos taken before the game, and kept under its name.

    All fifteen spheres lie in storage, the seven holes are empty. A photo of the empty tray may
    be added.
    """
    contents = [photo.content for photo in await take_photos(photos, settings)]
    options = {} if sphere_mm is None else {"sphere_mm": repr(sphere_mm)}
    made = await measured_once(readers, profiles, (TRAY, name, contents, options), key)
    return MeasuredBody.model_validate({**made.profile.to_json(), "warnings": list(made.warnings)})
