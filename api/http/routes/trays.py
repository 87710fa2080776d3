"""Trays: measured from photos, listed, fetched."""

from hashlib import sha256
from typing import Annotated

from fastapi import APIRouter, Form, Header, Path
from fastapi.concurrency import run_in_threadpool

from api.http.dependencies import CurrentSettings, KnownTrays, Readers
from api.http.uploads import Photos, take_photos
from api.models.profiles import MeasuredBody, ProfileBody, TraysAnswer
from api.problems import refusals
from api.profiles import NAME, MeasuredTray

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
    idempotency_key: Annotated[
        str | None,
        Header(max_length=200, description="the same key and request: the same answer, done once"),
    ] = None,
) -> MeasuredBody:
    """A tray measured from photos taken before the game, and kept under its name.

    All fifteen spheres lie in storage, the seven holes are empty. A photo of the empty tray may
    be added.
    """
    taken = await take_photos(photos, settings)
    request = request_digest(idempotency_key, name, [photo.content for photo in taken])
    made = await run_in_threadpool(trays.made_by, name, request)
    if made is None:
        trays.check_free(name)
        contents = [photo.content for photo in taken]
        made = MeasuredTray(*await readers.measure(contents, name, sphere_mm))
        await run_in_threadpool(trays.add, made, request)
    return MeasuredBody.model_validate({**made.profile.to_json(), "warnings": list(made.warnings)})


def request_digest(key: str | None, name: str, photos: list[bytes]) -> str | None:
    """What a request with an idempotency key is known by; None without one."""
    if key is None:
        return None
    parts = [key.encode(), name.encode(), *photos]
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()
