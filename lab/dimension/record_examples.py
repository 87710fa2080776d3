"""Records the examples of answers in the OpenAPI document.

Run it with ``python -m lab.dimension.record_examples``.

Plays a short game against a service of its own and keeps what it answered, an answer a schema, in
``api/data/examples.json``. To be run again when answers change; a test says so.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fastapi.testclient import TestClient

from api.games.dimension.examples import ROUND_CARDS
from api.games.dimension.models.readings import EXAMPLE_LAYOUT
from api.http.app import create_app
from api.ledger.seals import commitment
from api.samples import sample_photo
from api.settings import Settings

FILE = Path(__file__).parents[2] / "api" / "data" / "examples.json"
START, PLAYED = "start.jpg", "lamp.jpg"
ROUNDS = 6

Json = dict[str, Any]


class Recorder:
    """Asks a service, and keeps what it answers by the name of the answer's schema."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.kept: dict[str, list[Json]] = {}
        self._headers: dict[str, str] = {}

    def sit_down(self, *players: str) -> str:
        """The path of a new table, at which this one hosts."""
        asked = {"game": "dimension", "players": players, "seed": 7}
        opened = self.ask(None, "POST", "/v1/tables", json=asked)
        self._headers = {"Authorization": f"Bearer {opened['host_token']}"}
        self.ask("Invitation", "GET", f"/v1/tables/{opened['code']}/invitation")
        return f"/v1/tables/{opened['id']}"

    def ask(self, schema: str | None, method: str, path: str, **body: Any) -> Json:
        """The answer, kept as an example of its schema."""
        answer = self.client.request(method, path, headers=self._headers, **body)
        answer.raise_for_status()
        told: Json = answer.json()
        if schema is not None:
            self.kept[schema] = [told]
        return told


def record(recorder: Recorder) -> None:
    """Ask for everything there is."""
    recorder.ask("Version", "GET", "/v1/version")
    recorder.ask("DeckAnswer", "GET", "/v1/deck")
    recorder.ask("TraysAnswer", "GET", "/v1/trays")
    recorder.ask("ProfileBody", "GET", "/v1/trays/disc")
    recorder.ask("SamplesAnswer", "GET", "/v1/samples")
    photo = {"photos": sample_photo(START)}
    recorder.ask("MeasuredBody", "POST", "/v1/trays", files=photo, data={"name": "my-tray"})
    _play_together(recorder)
    _play_alone(recorder)


def _play_together(recorder: Recorder) -> None:
    """A game of two, with a photo, a correction and a dispute in its first round."""
    table = recorder.sit_down("Ada", "Ben")
    recorder.ask("TraySet", "POST", f"{table}/tray", json={"tray": "disc"})
    recorder.ask("PlayerState", "POST", f"{table}/players/Ben/pin", json={"pin": "2718"})
    recorder.ask("RoundState", "POST", f"{table}/rounds", json={"cards": ROUND_CARDS})
    for action in ("start", "stop"):
        asked = {"action": action}
        recorder.ask("RoundState", "POST", f"{table}/rounds/1/hourglass", json=asked)
    ada, ben = (f"{table}/rounds/1/trays/{player}" for player in ("Ada", "Ben"))
    recorder.ask("Submission", "POST", ada, files={"photos": sample_photo(PLAYED)})
    recorder.ask(None, "POST", ben, json={"layout": EXAMPLE_LAYOUT})
    mended = {"seats": {"A": "W"}, "reason": "misread"}
    recorder.ask("Corrected", "PATCH", ben, json=mended)
    device, nonce = "0d" * 16, "5e" * 32
    promised = commitment(table.rpartition("/")[2], 1, device, nonce)
    asked = {"device": device, "commitment": promised}
    recorder.ask(None, "POST", f"{table}/seals/1/commitment", json=asked)
    recorder.ask("Locked", "POST", f"{table}/rounds/1/lock")
    told = {"device": device, "nonce": nonce}
    recorder.ask("SealState", "POST", f"{table}/seals/1/nonce", json=told)
    recorder.ask("Chain", "GET", f"{table}/chain/8")
    doubt = {"round": 1, "player": "Ben", "card": ROUND_CARDS[0]}
    recorder.ask("Dispute", "POST", f"{table}/disputes", json=doubt)
    recorder.ask("TableState", "GET", table)
    recorder.ask("Ledger", "GET", f"{table}/ledger")
    recorder.ask(None, "POST", f"{table}/disputes/1/resolve", json={"outcome": "upheld"})
    _play_on(recorder, table, "Ada", "Ben")


def _play_alone(recorder: Recorder) -> None:
    table = recorder.sit_down("Ada")
    _play_on(recorder, table, "Ada")
    recorder.ask("SoloHistory", "GET", f"{table}/solo")


def _play_on(recorder: Recorder, table: str, *players: str) -> None:
    """The rest of a game, by hand."""
    played = len(recorder.ask(None, "GET", table)["rounds"])
    for number in range(played + 1, ROUNDS + 1):
        recorder.ask(None, "POST", f"{table}/rounds", json={})
        for player in players:
            path = f"{table}/rounds/{number}/trays/{player}"
            recorder.ask(None, "POST", path, json={"layout": EXAMPLE_LAYOUT})
        recorder.ask(None, "POST", f"{table}/rounds/{number}/lock")
    recorder.ask("GameOver", "POST", f"{table}/finish")


def main() -> None:
    """Play and write."""
    with TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), log_level="error")
        with TestClient(create_app(settings)) as client:
            recorder = Recorder(client)
            record(recorder)
    text = json.dumps(recorder.kept, ensure_ascii=False, separators=(",", ":"))
    FILE.write_text(text.replace('],"', '],\n"') + "\n", encoding="utf-8")
    print(f"{FILE}: {len(recorder.kept)} answers, {FILE.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
