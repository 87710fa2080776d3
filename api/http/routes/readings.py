"""Photos read, and readings drawn."""

import json
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, File, Form, Response, UploadFile
from fastapi.responses import JSONResponse

from api.http.dependencies import CurrentSettings, KnownTrays, Readers
from api.http.uploads import Photos, take_photo, take_photos
from api.models.readings import ReadingsAnswer
from api.problems import Problem, refusals
from api.scores import parse_reading
from api.workers.jobs import PictureKind
from api.workers.readers import refuse_bad_images
from rules.dimension.judge import Verdict, judge
from rules.dimension.questions import terms
from vision.dimension.reading import Reading

router = APIRouter(tags=["readings"], responses=refusals(400, 413, 415, 503))

TrayName = Annotated[
    str | None, Form(description="a tray's name; without one, the built-in trays are tried")
]


@router.post("/v1/readings", responses=refusals(404), response_model=ReadingsAnswer)
async def read_photos(
    photos: Photos,
    readers: Readers,
    trays: KnownTrays,
    settings: CurrentSettings,
    tray: TrayName = None,
    same_tray: Annotated[
        bool, Form(description="all photos show one untouched tray: one reading of all")
    ] = False,
) -> JSONResponse:
    """What 1 to 4 photos show. A photo without a tray is read as such: status ``no_tray``."""
    profile = trays.get(tray) if tray else None
    taken = await take_photos(photos, settings)
    found = await readers.read([photo.content for photo in taken], profile, same_tray)
    refuse_bad_images(found)
    names = tuple(photo.name for photo in taken)
    shown: list[str | tuple[str, ...]] = [*names] if len(found) == len(names) else [names]
    named = [replace(reading, photo=name) for reading, name in zip(found, shown, strict=True)]
    # A reading's JSON was checked when the reading was made; checking it twice more takes longer.
    return JSONResponse({"readings": [reading.to_json() for reading in named]})


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
