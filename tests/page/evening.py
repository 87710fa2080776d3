"""Tables as evenings leave them: opened and played over HTTP up to a moment, then looked at."""

import json
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from playwright.sync_api import BrowserContext

PLAYERS = ("Ada", "Ben", "Chloé")
CARDS = ["touch:OK", "apart:GW", "exactly:2B", "notabove:O", "more:GO", "sum4:KW"]
LAYOUTS = ("OKBGGWB/K.B.O./K", "GKOGBBW/....../.", "GGOBKWW/G...../.")


@dataclass
class Evening:
    """A table, and what the host's device knows of it."""

    service: str
    players: tuple[str, ...] = PLAYERS
    id: str = ""
    code: str = ""
    token: str = ""

    def opened(self, **settings: Any) -> "Evening":
        """The table is open."""
        asked = {"players": list(self.players), "hourglass_s": 600, **settings}
        told = self.ask("POST", "v1/tables", asked, token=False)
        self.id, self.code, self.token = told["id"], told["code"], told["host_token"]
        return self

    def ask(self, method: str, path: str, body: object = None, *, token: bool = True) -> Any:
        """The service's answer."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
        if token:
            headers["Authorization"] = f"Bearer {self.token}"
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.service + path, content, headers=headers, method=method
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def at(self, path: str, body: object = None) -> Any:
        """Something is done at the table."""
        return self.ask("POST", f"v1/tables/{self.id}{path}", body)

    def revealed(self, cards: list[str] | None = None) -> int:
        """The number of the next round, its cards on the table."""
        return int(self.at("/rounds", {"cards": cards} if cards else {})["number"])

    def built(self, number: int) -> None:
        """The hourglass was turned and stopped."""
        self.at(f"/rounds/{number}/hourglass", {"action": "start"})
        self.at(f"/rounds/{number}/hourglass", {"action": "stop"})

    def sent_in(self, number: int) -> None:
        """Everybody's tray is there."""
        for player, layout in zip(self.players, LAYOUTS, strict=False):
            self.at(f"/rounds/{number}/trays/{quote(player)}", {"layout": layout})

    def locked(self, cards: list[str] | None = None) -> None:
        """One more round was played."""
        number = self.revealed(cards)
        self.sent_in(number)
        self.at(f"/rounds/{number}/lock")

    def finished(self) -> "Evening":
        """All six rounds were played."""
        for _ in range(6):
            self.locked()
        self.at("/finish")
        return self

    def known_to(self, context: BrowserContext) -> None:
        """A browser that hosts this table."""
        known = {
            "id": self.id,
            "code": self.code,
            "players": list(self.players),
            "hostToken": self.token,
            "at": 1_790_000_000,
        }
        context.add_init_script(
            f"""{{
              const kept = JSON.parse(localStorage.getItem("trayscore"));
              const others = (kept.tables ?? []).filter(({{ id }}) => id !== "{self.id}");
              kept.tables = [{json.dumps(known)}, ...others];
              localStorage.setItem("trayscore", JSON.stringify(kept));
            }}"""
        )
