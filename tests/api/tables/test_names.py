"""Names at a table: checked when it is opened; those of older tables go on as they are."""

from pathlib import Path

import pytest

from api.games.dimension.models.tables import TableRequest
from api.tables import joining
from api.tables.service import Asking, TableService, as_json
from tests.api.tables.house import A, At, House, house, refused


def test_names_are_kept_in_one_form(at: House) -> None:
    host = at.open("  Zoe\u0308 ", "Ada \u00a0 Lovelace")
    assert [player["name"] for player in host.state()["players"]] == ["Zo\u00eb", "Ada Lovelace"]
    host.reveal()
    host.submit(1, "Zo\u00eb", A)


@pytest.mark.parametrize(
    ("players", "code", "word"),
    [
        (["Ada", "Be\u202en"], "bad_name", "U+202E"),
        (["Ada", "Ben\u200b"], "bad_name", "U+200B"),
        (["Ada", "Аda"], "names_alike", "look alike"),
        (["Ada", "ada"], "names_alike", "Ada and ada"),
        (["Ian", "lan"], "names_alike", "nobody mixes up"),
        (["Ada", " Ada"], "bad_players", "name of their own"),
    ],
)
def test_names_that_mislead_are_refused(
    at: House, players: list[str], code: str, word: str
) -> None:
    problem = refused(at.client.post("/v1/tables", json={"players": players}), 422, code)
    assert word in problem["detail"]


@pytest.mark.parametrize("text", ["look \u202ehere", "\u200b", "a\u2066b"])
def test_reasons_and_doubts_hide_nothing(at: House, text: str) -> None:
    host = at.open("Ada", "Ben")
    host.reveal()
    host.submit(1, "Ada", A)
    asked = {"seats": {"R0": "B"}, "reason": text}
    refused(host.ask("PATCH", "/rounds/1/trays/Ada", json=asked), 422, "bad_name")
    doubt = {"round": 1, "player": "Ada", "seat": "C", "text": text}
    refused(host.ask("POST", "/disputes", json=doubt), 422, "bad_name")


def test_a_table_of_yesterday_goes_on_with_its_names(
    tmp_path: Path, database_url: str | None
) -> None:
    """It was opened before names were checked."""
    names = ("Ada", "Аda", "Zoe\u0308", "Be\u200bn")
    with house(tmp_path, database_url) as at:
        service = TableService(at.store, at.clock)
        asked = TableRequest.model_validate({"players": ["A"]})
        yesterday = asked.model_copy(update={"players": names})
        opened = as_json(joining.open_new(service, yesterday, Asking(None)))
        host = At(at, opened["id"], opened["code"], opened["host_token"])
        assert [player["name"] for player in host.state()["players"]] == list(names)
        host.reveal()
        for name in names:
            host.joined(name)
            host.submit(1, name, A)
            host.do(f"/players/{name}/pin", {"pin": "1234"})
        doubt = {"round": 1, "player": "Be\u200bn", "seat": "C"}
        number = host.do("/disputes", doubt)["id"]
        consent = {"player": "Zoe\u0308", "pin": "1234", "layout": A}
        host.do(f"/disputes/{number}/consent", consent)
