"""Profiles: measured from photos, listed, fetched."""

from hashlib import sha256
from typing import Annotated

from fastapi import APIRouter, Form, Header, Path, Request
from fastapi.concurrency import run_in_threadpool

from api.http.dependencies import CurrentSettings, KnownProfiles, Readers
from api.http.uploads import Photos, take_photos
from api.measuring import measured, refuse_unknown_kind
from api.models.profiles import AnyProfile, MeasuredProfileBody, ProfilesAnswer
from api.problems import refusals
from api.profiles import NAME, MeasuredProfile, Profiles
from api.workers.readers import ReadingPool
from calibration.profiles import KINDS

router = APIRouter(tags=["profiles"])

ProfileName = Annotated[str, Path(pattern=f"^{NAME}$", examples=["disc"])]
NewProfileName = Annotated[str, Form(json_schema_extra={"pattern": f"^{NAME}$"})]
ProfileKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="the same key and request: the same answer, done once",
    ),
]
_FIELDS = ("kind", "name", "photos")


@router.get("/v1/profiles")
def list_profiles(profiles: KnownProfiles) -> ProfilesAnswer:
    """All profiles that readings can be asked for by name, with their kinds."""
    return ProfilesAnswer.model_validate({"profiles": profiles.known()}, from_attributes=True)


@router.get("/v1/profiles/{name}", responses=refusals(404, 409))
def fetch_profile(name: ProfileName, profiles: KnownProfiles) -> AnyProfile:
    """A profile with its kind."""
    kind, profile = profiles.get(name)
    return AnyProfile.model_validate({**profile.to_json(), "kind": kind})


@router.post("/v1/profiles", status_code=201, responses=refusals(400, 409, 413, 415, 503))
async def measure_profile(  # noqa: PLR0913, PLR0917 - a form's fields, and what FastAPI hands over
    request: Request,
    kind: Annotated[str, Form(max_length=40, description=f"one of {', '.join(KINDS)}")],
    name: NewProfileName,
    photos: Photos,
    readers: Readers,
    profiles: KnownProfiles,
    settings: CurrentSettings,
    key: ProfileKey = None,
) -> MeasuredProfileBody:
    """A profile measured from photos, and kept under its name.

    Further fields are the options of `trayscore calibrate KIND`: `sphere_mm`, `faces`, `corners` …
    """
    refuse_unknown_kind(kind)
    form = await request.form()
    options = {
        field: value
        for field, value in form.multi_items()
        if field not in _FIELDS and isinstance(value, str)
    }
    contents = [photo.content for photo in await take_photos(photos, settings)]
    made = await measured_once(readers, profiles, (kind, name, contents, options), key)
    body = {**made.profile.to_json(), "kind": made.kind, "warnings": list(made.warnings)}
    return MeasuredProfileBody.model_validate(body)


async def measured_once(
    readers: ReadingPool,
    profiles: Profiles,
    asked: tuple[str, str, list[bytes], dict[str, str]],
    key: str | None,
) -> MeasuredProfile:
    """The profile that is asked for: measured and kept, or made by the same request before."""
    kind, name, photos, options = asked
    request = request_digest(key, name, photos)
    made = await run_in_threadpool(profiles.made_by, name, request)
    if made is None:
        await run_in_threadpool(profiles.check_free, name, kind)
        made = await measured(readers, kind, name, photos, options)
        await run_in_threadpool(profiles.add, made, request)
    return made


def request_digest(key: str | None, name: str, photos: list[bytes]) -> str | None:
    """What identifies a request with an idempotency key; None without one."""
    if key is None:
        return None
    parts = [key.encode(), name.encode(), *photos]
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()
