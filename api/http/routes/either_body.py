"""Bodies of requests that are either photos (a form) or JSON."""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from fastapi import Request, UploadFile
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.datastructures import UploadFile as StarletteFile

from api.http.uploads import MOST_PHOTOS, take_photos
from api.problems import Problem
from api.settings import Settings

Asked = TypeVar("Asked", bound=BaseModel)


def photos_or(models: Sequence[type[BaseModel]], photos: str) -> dict[str, Any]:
    """How OpenAPI describes it: the JSON by its schemas, what the photos are in words.

    The schema stands there itself: FastAPI lists only those that it finds in signatures.
    """
    form = {
        "type": "object",
        "required": ["photos"],
        "properties": {
            "photos": {
                "type": "array",
                "minItems": 1,
                "maxItems": MOST_PHOTOS,
                "items": {"type": "string", "format": "binary"},
                "description": photos,
            }
        },
    }
    schemas = [model.model_json_schema() for model in models]
    content = {
        "multipart/form-data": {"schema": form},
        "application/json": {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas}},
    }
    return {"requestBody": {"required": True, "content": content}}


async def photos_or_json(
    request: Request, model: type[Asked], settings: Settings
) -> list[bytes] | Asked:
    """The photos or the JSON that was sent; raises ``Problem`` for anything else."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        return await _photos(request, settings)
    if kind != "application/json":
        text = "Send photos as multipart/form-data, or JSON as application/json."
        raise Problem(415, "unsupported_media_type", text)
    try:
        return model.model_validate_json(await request.body())
    except ValidationError as error:
        wrong: list[Any] = [
            {**one, "loc": ("body", *one["loc"])} for one in error.errors(include_url=False)
        ]
        raise RequestValidationError(wrong) from error


async def _photos(request: Request, settings: Settings) -> list[bytes]:
    async with request.form(max_files=MOST_PHOTOS + 1, max_fields=8) as form:
        files = [file for file in form.getlist("photos") if isinstance(file, StarletteFile)]
        taken = await take_photos(cast(list[UploadFile], files), settings)
        return [photo.content for photo in taken]
