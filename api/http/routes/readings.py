"""Photos read."""

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import JSONResponse

from api.http.dependencies import CurrentSettings, KnownTrays, Readers
from api.http.routes.game_bodies import readings_answer
from api.http.uploads import Photos, take_photos
from api.problems import refusals
from api.workers.readers import called, refuse_bad_images
from rules.games import DEFAULT
from rules.games import game as rules_of

router = APIRouter(tags=["readings"], responses=refusals(400, 413, 415, 503))

TrayName = Annotated[
    str | None, Form(description="a tray's name; without one, the built-in trays are tried")
]


@router.post("/v1/readings", responses=refusals(404), response_model=readings_answer())
async def read_photos(
    photos: Photos,
    readers: Readers,
    trays: KnownTrays,
    settings: CurrentSettings,
    tray: TrayName = None,
    same_tray: Annotated[
        bool, Form(description="all photos show one untouched tray: one reading of all")
    ] = False,
    game: Annotated[str, Form(description="whose photos they are")] = DEFAULT,
) -> JSONResponse:
    """What 1 to 4 photos show. A photo without a tray is read as such: status ``no_tray``."""
    known = rules_of(game).id
    profile = trays.get(tray) if tray else None
    taken = await take_photos(photos, settings)
    found = await readers.read([photo.content for photo in taken], profile, same_tray, known)
    refuse_bad_images(found)
    names = tuple(photo.name for photo in taken)
    shown: list[str | tuple[str, ...]] = [*names] if len(found) == len(names) else [names]
    named = [called(reading, name) for reading, name in zip(found, shown, strict=True)]
    # A reading's JSON was checked when the reading was made; checking it twice more takes longer.
    return JSONResponse({"readings": [reading.to_json() for reading in named]})
