"""Live cameras over WebSockets: only the newest frame is read.

The first message is JSON: ``{"token": …}`` (at a table), and ``"tray"``: a tray's name, if it is
known; at a table ``"player"``: whose tray the camera looks at. Then each binary message is a frame
(JPEG or WebP); each answer is the light reading of one of them, with ``frame``, its number from 1.
Frames that came while another was read are skipped: nothing queues up, however fast a camera sends.
"""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from fastapi import APIRouter, WebSocket
from starlette.concurrency import run_in_threadpool
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect

from api.http.dependencies import CurrentQuotas, CurrentSettings, KnownTrays, LiveCameras
from api.limits.callers import Caller, client_address
from api.problems import Problem, language_of
from api.profiles import Trays
from api.settings import Settings
from api.workers.live import Camera, LivePool
from calibration.profile_files import Profile
from rules.games import DEFAULT

router = APIRouter()

GREETING_S = 10.0
GOING_AWAY, POLICY, TOO_BIG, TRY_AGAIN = 1001, 1008, 1009, 1013


@router.websocket("/v1/live")
async def live(
    socket: WebSocket,
    cameras: LiveCameras,
    trays: KnownTrays,
    settings: CurrentSettings,
    quotas: CurrentQuotas,
) -> None:
    """A camera that belongs to no table."""
    await socket.accept()
    with suppress(WebSocketDisconnect):
        try:
            profile = await run_in_threadpool(named_profile, await greet(socket), trays)
            with quotas.cameras.claim(Caller(client_address(socket))):
                await follow(socket, profile, cameras, Frames.of(settings))
        except Problem as problem:
            await refuse(socket, problem)


async def greet(socket: WebSocket) -> dict[str, object]:
    """The first message; raises ``Problem`` if it is missing or malformed."""
    try:
        greeting = json.loads(await asyncio.wait_for(socket.receive_text(), GREETING_S))
    except (TimeoutError, ValueError, RecursionError, KeyError):
        greeting = None
    if not isinstance(greeting, dict):
        raise Problem(400, "bad_greeting", 'The first message is JSON: {"token": …}.')
    return greeting


def named_profile(greeting: dict[str, object], trays: Trays) -> Profile | None:
    """The profile that the first message names; raises ``Problem`` if there is none."""
    name = greeting.get("tray")
    return trays.get(str(name)) if name else None


@dataclass(frozen=True)
class Frames:
    """Limits for frames."""

    most_bytes: int
    within_s: float
    """The longest pause between two frames."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The limits of the settings."""
        return cls(int(settings.frame_kb * 1e3), settings.live_idle_s)


async def follow(
    socket: WebSocket,
    profile: Profile | None,
    cameras: LivePool,
    frames: Frames,
    game: str = DEFAULT,
) -> None:
    """Read frames until the camera leaves; raises ``Problem`` for anything that is no frame."""
    camera = await cameras.open(profile, game)
    newest = Newest(frames)
    reading = asyncio.create_task(_answer(socket, camera, newest))
    try:
        await newest.take_from(socket)
    finally:
        reading.cancel()
        await cameras.close(camera)


class Newest:
    """The newest frame of a camera: each one replaces the one before."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._frame: tuple[int, bytes] | None = None
        self._taken = self._done = 0
        self._came = asyncio.Event()

    async def take_from(self, socket: WebSocket) -> None:
        """Take all frames until the camera leaves."""
        while True:
            message = await self._next(socket)
            if message["type"] == "websocket.disconnect":
                return
            content = message.get("bytes")
            if not content:
                raise Problem(415, "not_a_frame", "After the first message, send only frames.")
            most = self._frames.most_bytes
            if len(content) > most:
                raise Problem(413, "too_large", f"A frame may have at most {most / 1e3:g} kB.")
            self._taken += 1
            self._frame = (self._taken, content)
            self._came.set()

    async def _next(self, socket: WebSocket) -> Message:
        """The next message; raises ``Problem`` if none comes while no answer is due."""
        while True:
            before = self._done
            try:
                async with asyncio.timeout(self._frames.within_s):
                    return await socket.receive()
            except TimeoutError:
                if self._done == before == self._taken:
                    raise Problem(408, "idle", "No frame arrived for a while.") from None

    async def get(self) -> tuple[int, bytes]:
        """The newest frame and its number, as soon as there is one not returned before."""
        await self._came.wait()
        self._came.clear()
        assert self._frame is not None
        return self._frame

    def done(self, number: int) -> None:
        """Note that this frame is finished, read or not."""
        self._done = number


async def _answer(socket: WebSocket, camera: Camera, newest: Newest) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # gone while its frame was read
        while True:
            number, content = await newest.get()
            reading = await camera.frame(content)
            newest.done(number)
            if reading is not None:
                await socket.send_text(json.dumps({"frame": number, **reading}))


async def refuse(socket: WebSocket, problem: Problem) -> None:
    """Say why, and close. An idle camera is not told: it reconnects when it goes on."""
    codes = {408: GOING_AWAY, 413: TOO_BIG, 429: TRY_AGAIN, 503: TRY_AGAIN}
    with suppress(WebSocketDisconnect, RuntimeError):
        if problem.status != 408:
            await socket.send_text(json.dumps({"problem": problem.to_json(language_of(socket))}))
        await socket.close(codes.get(problem.status, POLICY), problem.code)
