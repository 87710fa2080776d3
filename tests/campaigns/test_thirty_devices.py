"""Thirty devices behind one address play unhindered, with the limits as they are by default.

Each has a token and a stream of events of its own, keeps further connections open as browsers do,
fetches the table's state at every event, and sends its photo at the same moment as all the others.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.campaigns.phones import Sending, head_of
from tests.campaigns.serving import CARDS, SAMPLES, Serving
from tests.campaigns.test_one_address import REAL

PLAYERS = ("Ada", "Ben", "Cleo")
TABLES = 10
IDLE_CONNECTIONS = 4
LOOKS = 10
"""How often each device fetches the state besides, as fast as it is answered."""
PATIENCE_S = 600.0


@dataclass
class Service:
    """Where everybody asks, and all that was answered."""

    host: str
    port: int
    statuses: list[int] = field(default_factory=list)

    async def send(self, request: bytes) -> dict[str, Any]:
        """The answer to a request."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(request)
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
        self.statuses.append(int(head.split(b" ")[1]))
        answer: dict[str, Any] = json.loads(body)
        return answer

    async def ask(
        self, method: str, path: str, token: str = "", body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The answer to a question."""
        content = b"" if body is None else json.dumps(body).encode()
        headers = {**self.headers(token), "Connection": "close"}
        if content:
            headers |= {"Content-Type": "application/json", "Content-Length": str(len(content))}
        return await self.send(head_of(method, path, headers) + content)

    def headers(self, token: str) -> dict[str, str]:
        """The headers that every request has."""
        who = {"Authorization": f"Bearer {token}"} if token else {}
        return {"Host": f"{self.host}:{self.port}", **who}


@dataclass
class Device:
    """A player's phone."""

    service: Service
    table: str
    player: str
    token: str
    news: list[str] = field(default_factory=list)
    listens: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self) -> None:
        """Hear what happens, and look at the table each time."""
        reader, writer = await asyncio.open_connection(self.service.host, self.service.port)
        path = f"/v1/tables/{self.table}/events"
        try:
            writer.write(head_of("GET", path, self.service.headers(self.token)))
            status = await reader.readline()
            self.service.statuses.append(int(status.split(b" ")[1]))
            while line := await reader.readline():
                if line.startswith(b"retry:"):
                    self.listens.set()
                if line.startswith(b"event:"):
                    self.news.append(line.partition(b":")[2].strip().decode())
                    await self.look()
        finally:
            writer.close()

    async def look(self) -> None:
        """Fetch the state of the table."""
        await self.service.ask("GET", f"/v1/tables/{self.table}", self.token)

    async def idle(self) -> asyncio.StreamWriter:
        """A connection that is kept for later."""
        _, writer = await asyncio.open_connection(self.service.host, self.service.port)
        return writer

    async def play(self) -> None:
        """Look about, and send the photo."""
        path = f"/v1/tables/{self.table}/rounds/1/trays/{self.player}"
        sending = Sending(path, self.token, str(SAMPLES / "01006.jpg"))
        host = f"{self.service.host}:{self.service.port}"
        await asyncio.gather(
            self.service.send(sending.request(host)), *(self.look() for _ in range(2))
        )
        for _ in range(LOOKS):
            await self.look()


async def table(service: Service) -> list[Device]:
    """A table at which everybody has sat down with a phone of their own."""
    opened = await service.ask("POST", "/v1/tables", body={"players": PLAYERS})
    rounds = f"/v1/tables/{opened['id']}/rounds"
    await service.ask("POST", rounds, opened["host_token"], {"cards": CARDS})
    devices = []
    for player in PLAYERS:
        join = f"/v1/tables/{opened['code']}/join"
        joined = await service.ask("POST", join, body={"player": player})
        devices.append(Device(service, opened["id"], player, joined["player_token"]))
    return devices


async def evening(service: Service) -> list[Device]:
    """Everybody plays, all at the same time."""
    tables = [await table(service) for _ in range(TABLES)]
    devices = [device for seated in tables for device in seated]
    listening = [asyncio.create_task(device.listen()) for device in devices]
    await asyncio.gather(*(device.listens.wait() for device in devices))
    kept = [await device.idle() for device in devices for _ in range(IDLE_CONNECTIONS)]
    await asyncio.gather(*(device.play() for device in devices))
    while any(device.news.count("tray_submitted") < len(PLAYERS) for device in devices):
        await asyncio.sleep(0.1)
    for task in listening:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    for writer in kept:
        writer.close()
    return devices


@pytest.mark.slow
@pytest.mark.alone
def test_thirty_devices_behind_one_address(tmp_path: Path, tell: Callable[[str], None]) -> None:
    with Serving(tmp_path / "data", dict(REAL)) as serving:
        where = urlsplit(serving.url)
        service = Service(str(where.hostname), where.port or 0)
        devices = asyncio.run(asyncio.wait_for(evening(service), PATIENCE_S))
        serving.stop()
    tell(f"{len(devices)} devices behind one address: {len(service.statuses)} answers, all well.")
    assert len(devices) == 30
    assert set(service.statuses) <= {200, 201}
    assert '"refused"' not in (tmp_path / "data.log").read_text()
