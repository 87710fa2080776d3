"""Readings drawn on their photos."""

import json
from typing import Annotated

from fastapi import APIRouter, File, Form, Response, UploadFile

from api.games.dimension.scores import parse_reading
from api.http.dependencies import CurrentSettings, Readers
from api.http.uploads import take_photo
from api.problems import Problem, refusals
from api.workers.jobs import PictureKind
from rules.dimension.judge import Verdict, judge
from rules.dimension.questions import terms
from vision.dimension.reading import Reading

router = APIRouter(tags=["readings"], responses=refusals(400, 413, 415, 503))


@router.post(
    "/v1/overlays",
    response_class=Response,
    responses={
        200: {
            "description": "the drawing",
            "content": {
                kind: {"schema": {"type": "string", "format": "binary"}}
                for kind in ("image/png", "image/webp")
            },
        }
    },
)
async def draw_reading(
    photo: Annotated[UploadFile, File(description="the photo that was read")],
    reading: Annotated[str, Form(description="its reading, as JSON")],
    readers: Readers,
    settings: CurrentSettings,
    card: Annotated[
        str | None, Form(description="a card: the spheres that its verdict points at are marked")
    ] = None,
    cards: Annotated[
        str | None, Form(description="all revealed cards, separated by commas")
    ] = None,
    kind: Annotated[PictureKind, Form(description="the picture's format")] = "webp",
) -> Response:
    """A reading drawn on its photo, as a picture."""
    shown = parse_reading(_decoded(reading))
    verdict = None if not card else _verdict(card, cards, shown)
    taken = await take_photo(photo, settings)
    picture = await readers.overlay(taken.content, shown, verdict, kind)
    return Response(picture, media_type=f"image/{kind}")


def _verdict(card: str, cards: str | None, reading: Reading) -> Verdict:
    """The verdict on one card; the others matter where two cards share a number."""
    codes = [code for code in (cards or "").split(",") if code]
    codes = codes if card in codes else [card, *codes]
    given = terms({"cards": codes, "deck": "any"})
    assert reading.layout is not None
    return judge(given.cards[codes.index(card)], reading.layout, given.cards, given.rulings)


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Problem(422, "bad_reading", "The reading is not JSON.") from error
