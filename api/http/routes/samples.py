"""Sample photos, for trying the service at once."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from api.models.samples import SamplesAnswer
from api.problems import Problem, refusals
from api.samples import sample_photo, samples

router = APIRouter(tags=["samples"])


@router.get("/v1/samples")
def list_samples() -> SamplesAnswer:
    """The sample photos, with cards that go with them."""
    return SamplesAnswer.model_validate({"samples": samples()})


@router.get(
    "/v1/samples/{name}",
    response_class=Response,
    responses={
        200: {
            "description": "the photo",
            "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
        },
        **refusals(404),
    },
)
def fetch_sample(name: Annotated[str, Path(max_length=64, examples=["sun.jpg"])]) -> Response:
    """A sample photo."""
    try:
        photo = sample_photo(name)
    except KeyError:
        raise Problem(404, "no_such_sample", "There is no sample of this name.") from None
    return Response(photo, media_type="image/jpeg")
