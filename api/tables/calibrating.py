"""Tray profiles at a table: one for all, or one a player, measured from start photos or by name.

The profile itself goes into the history with the photos that it was measured from: what a photo
was read by can be told, and done again, whatever becomes of the service's own files.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from api.problems import Problem
from api.storage import tables
from api.tables.kept_photos import Kept, cleaned_photos, keeping
from api.tables.photographed import Camera
from api.tables.service import Answered, Asking, Change, Scene
from api.tables.submission_view import tray_in_use
from api.tables.table_game import TableGame
from api.tables.tray_choice import Measured, measured_name, refuse, set_tray


@dataclass(frozen=True)
class TrayOwner:
    """Whose tray, at which table; nobody's: the trays of all, which are alike."""

    table: str
    player: str | None = None


async def measure(
    camera: Camera, owner: TrayOwner, photos: Sequence[bytes], asking: Asking
) -> Answered:
    """The tray in these start photos is measured, and photos are read by that from now on."""
    asking = await run_in_threadpool(asking.with_photos, photos)
    seen = await run_in_threadpool(camera.service.begin, owner.table, asking)
    if isinstance(seen, Answered):
        return seen
    profile_model(seen.record.game)
    refuse(seen.record, seen.actor, owner.player)
    kept = await run_in_threadpool(cleaned_photos, photos)
    measured = await _measured(camera, seen.record.game, kept)

    def recorded() -> Answered:
        with keeping(camera.service.store, kept, camera.disk_limit):
            return _set(camera, owner, measured, kept, asking)

    return await run_in_threadpool(recorded)


async def _measured(camera: Camera, game: TableGame, kept: Sequence[Kept]) -> Measured:
    """The profile, and the first photo read by it: that is what people look at."""
    contents, digests = [one.content for one in kept], tuple(one.sha256 for one in kept)
    name = measured_name(digests)
    profile, warnings = await camera.readers.measure(contents, name, None, game.id)
    reading = await camera.read(game, kept[:1], profile)
    return Measured(profile.to_json(), warnings, digests, reading.to_json())


def choose(camera: Camera, owner: TrayOwner, name: str | None, asking: Asking) -> Answered:
    """A profile is set by its name; none: the next one that holds."""
    measured = None if name is None else Measured(camera.trays.get(name).to_json())
    return _set(camera, owner, measured, (), asking)


def _set(
    camera: Camera,
    owner: TrayOwner,
    measured: Measured | None,
    kept: Sequence[Kept],
    asking: Asking,
) -> Answered:
    def command(scene: Scene) -> Change:
        profile_model(scene.record.game)
        draft = set_tray(scene.record, scene.actor, owner.player, measured)
        files = [one.row for one in kept]
        return Change([draft], lambda after: _answer(after, owner, measured), files=files)

    return camera.service.change(owner.table, asking, command)


def _answer(scene: Scene, owner: TrayOwner, measured: Measured | None) -> BaseModel:
    record = scene.record
    choice = record.tray if owner.player is None else record.tray_of(owner.player)
    profile = None if choice is None else choice.profile
    warnings = [] if measured is None else list(measured.warnings)
    told = {
        "version": record.length,
        "player": owner.player,
        "tray": tray_in_use(record, owner.player, tables.files(scene.connection, owner.table)),
        "profile": None if profile is None else {**profile, "warnings": warnings},
        "reading": None if measured is None else measured.reading,
    }
    return profile_model(record.game).model_validate(told)


def profile_model(game: TableGame) -> type[BaseModel]:
    """How a set profile is answered; raises ``Problem`` if the game's photos need none."""
    if game.models.profile_set is None:
        text = "Photos of this game are read without a profile."
        raise Problem(409, "no_profiles", text)
    return game.models.profile_set
