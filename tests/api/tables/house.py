"""A service with tables for tests: real routes, rules and storage; only the reader is made up."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from fastapi import FastAPI
from fastapi.testclient import TestClient
from PIL import Image

from api.http.app import create_app
from api.http.readiness import Readiness, storage_trouble
from api.photos.cleaning import cleaned
from api.problems import Problem
from api.settings import Settings
from api.storage.store import Store
from api.tables.drawings import Drawings
from api.tables.kept_photos import RESERVE
from api.tables.service import TableService
from api.workers.readers import ReadingPool
from calibration.dimension.profile import TrayProfile
from tests.vision.dimension.readings import make_reading
from vision.dimension.reading import Reading

CARDS = ["sum4:WO", "exactly:2O", "touch:OK", "touch:BB", "apart:BW", "touch:GK"]
A, B, C = "GWWGBBO/O.K.K./W", "KBBOWKG/O.G.O./.", "OKWKWKG/O.G.B./B"
NOTHING = "......./....../."

Response = Any
"""What the test client answers: the class differs with the package that it finds."""


def photo(number: int, **options: Any) -> bytes:
    """A photo like no other."""
    out = BytesIO()
    size = (64 + number % 97, 64 + number // 97)
    Image.new("RGB", size, "navy").save(out, "JPEG", **options)
    return out.getvalue()


class MadeUpReaders:
    """Readers who are told what photos show; several photos show what the last one does."""

    ready, waiting = 1, 0

    def __init__(self) -> None:
        self.shows: dict[str, Reading] = {}
        self.trays: dict[str, TrayProfile] = {}
        self.asked: list[int] = []
        self.read_by: list[TrayProfile | None] = []
        self.drawing = b"RIFF\0\0\0\0WEBP drawn "

    def show(self, content: bytes, reading: Reading) -> bytes:
        """The photo, which is read so from now on."""
        self.shows[sha256(cleaned(content).content).hexdigest()] = reading
        return content

    def start(self, content: bytes, tray: TrayProfile) -> bytes:
        """The start photo, of which this tray is measured from now on."""
        self.trays[sha256(cleaned(content).content).hexdigest()] = tray
        return self.show(content, make_reading("......./....../."))

    async def measure(
        self, photos: Sequence[bytes], name: str, _sphere_mm: float | None = None, _game: str = ""
    ) -> tuple[TrayProfile, tuple[str, ...]]:
        """What was told, and a warning; a photo of nothing is refused."""
        tray = self.trays.get(sha256(photos[0]).hexdigest())
        if tray is None:
            raise Problem(422, "tray_refused", "No tray was found in this photo.")
        return replace(tray, name=name), ("The light is dim.",)

    async def read(
        self,
        photos: Sequence[bytes],
        tray: TrayProfile | None = None,
        same_tray: bool = False,
        _game: str = "",
    ) -> list[Reading]:
        """What was told."""
        self.asked.append(len(photos))
        self.read_by.append(tray)
        names = [sha256(content).hexdigest() for content in photos]
        found = [self.shows.get(name, Reading.refused(name, "no_tray", "none")) for name in names]
        return [replace(found[-1], photo=tuple(names))] if same_tray else found

    async def overlay(self, photo: bytes, *_: object, **__: object) -> bytes:
        """A drawing that differs from photo to photo."""
        return self.drawing + sha256(photo).digest()

    async def crop(self, _photo: bytes, box: object) -> bytes:
        """A part that differs with its box."""
        return f"part {box}".encode()


class NoCameras:
    """Live cameras of which none is free."""

    cameras = 0

    def __init__(self) -> None:
        self.asked_for: list[TrayProfile | None] = []

    async def open(self, tray: TrayProfile | None, _game: str = "") -> None:
        """Refused: all are taken."""
        self.asked_for.append(tray)
        raise Problem(503, "busy", "All live cameras are in use.")


@dataclass
class Clock:
    """Time as the test wants it."""

    at: float = 1_800_000_000.0

    def __call__(self) -> float:
        """The time."""
        return self.at


@dataclass
class House:
    """A running service, and who asks it."""

    client: TestClient
    readers: MadeUpReaders
    clock: Clock
    store: Store
    cameras: NoCameras

    def open(self, *players: str, **settings: Any) -> "At":
        """A new table with these players, seen by its host."""
        asked = {"players": players or ("Ada", "Ben"), **settings}
        answer = self.client.post("/v1/tables", json=asked)
        assert answer.status_code == 201, answer.text
        opened = answer.json()
        return At(self, opened["id"], opened["code"], opened["host_token"])


@dataclass
class At:
    """A table as seen by somebody with a token."""

    house: House
    id: str
    code: str
    token: str
    keys: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str = "", **options: Any) -> Response:
        """The answer to a request about this table."""
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        url = f"/v1/tables/{self.id}{path}"
        return self.house.client.request(method, url, headers=headers, **options)

    def do(self, path: str, asked: Any = None, method: str = "POST", **options: Any) -> Any:
        """What a request that must be done is answered."""
        answer = self.ask(method, path, json=asked, **options)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def joined(self, player: str) -> "At":
        """The same table, seen by a player who joins."""
        answer = self.house.client.post(f"/v1/tables/{self.code}/join", json={"player": player})
        assert answer.status_code == 200, answer.text
        return At(self.house, self.id, self.code, answer.json()["player_token"])

    def state(self) -> Any:
        """The whole table."""
        return self.do("", method="GET")

    def reveal(self, cards: Sequence[str] | None = CARDS) -> Any:
        """A new round."""
        return self.do("/rounds", {} if cards is None else {"cards": list(cards)})

    def submit(self, number: int, player: str, layout: str) -> Any:
        """A tray by hand."""
        return self.do(f"/rounds/{number}/trays/{player}", {"layout": layout})

    def send(self, number: int, player: str, *photos: bytes, **options: Any) -> Response:
        """A tray by photos."""
        return self.ask("POST", f"/rounds/{number}/trays/{player}", files=form(*photos), **options)

    def photographed(
        self, number: int, player: str, layout: str, picture: bytes, **reading: Any
    ) -> Any:
        """A tray by a photo that is read so."""
        self.house.readers.show(picture, make_reading(layout, **reading))
        answer = self.send(number, player, picture)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def lock(self, number: int) -> Any:
        """The round is locked."""
        return self.do(f"/rounds/{number}/lock")

    def play_round(self, number: int, **layouts: str) -> Any:
        """A whole round by hand."""
        self.reveal(None if number > 1 else CARDS)
        for player, layout in layouts.items():
            self.submit(number, player, layout)
        return self.lock(number)


def form(*photos: bytes) -> list[tuple[str, tuple[str, bytes, str]]]:
    """Photos as a form sends them."""
    return [("photos", (f"{i}.jpg", content, "image/jpeg")) for i, content in enumerate(photos)]


def refused(answer: Response, status: int, code: str) -> Any:
    """The problem that a request was refused with."""
    problem = answer.json()
    assert (answer.status_code, problem.get("code")) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return problem


@contextmanager
def house(directory: Path, database_url: str | None = None, **settings: Any) -> Iterator[House]:
    """A running service in a directory."""
    readers, clock = MadeUpReaders(), Clock()
    store = Store(directory, database_url)
    app = made_up_app(store, readers, clock, **settings)
    with TestClient(app, base_url="http://localhost") as client:
        yield House(client, readers, clock, store, app.state.live)


def made_up_app(
    store: Store, readers: MadeUpReaders, clock: Callable[[], float], **settings: Any
) -> FastAPI:
    """The service with readers who are told what photos show."""
    given = Settings(
        data_dir=store.directory,
        rate_per_minute=1e6,
        address_rate_per_minute=1e6,
        **settings,
    )
    app = create_app(given)

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        store.open()
        limit = given.disk_limit_mb * 1_000_000
        app.state.tables = TableService(store, clock, limit)
        app.state.readiness = Readiness(partial(storage_trouble, store, RESERVE))
        app.state.readers = readers
        app.state.live = NoCameras()
        app.state.drawings = Drawings(app.state.tables, cast(ReadingPool, readers), limit)
        yield
        app.state.readiness.close()
        app.state.tables.feed.close()
        store.close()

    app.router.lifespan_context = running
    return app
