"""Consent is a person's: what the host's device says for a player is not the player's own word."""

from typing import Any

from tests.api.tables.house import A, At, B, C, House, refused
from tests.api.tables.test_disputes import OTHER, about_the_top

CONSENT, RESOLVE = "/disputes/1/consent", "/disputes/1/resolve"
CORRECTED, UPHELD = {"outcome": "corrected"}, {"outcome": "upheld"}


def locked(at: House, *players: str) -> At:
    host = at.open(*players)
    host.reveal()
    for player, layout in zip(players, (A, B, C), strict=False):
        host.submit(1, player, layout)
    host.lock(1)
    return host


def new_token(host: At, player: str) -> At:
    told = host.do(f"/players/{player}/token")
    return At(host.house, host.id, host.code, told["player_token"])


def consents(dispute: Any) -> dict[str, Any]:
    return {one["player"]: (one["by"], one["made_by"], one["own"]) for one in dispute["consents"]}


def test_a_token_that_the_host_issued_again_does_not_consent_for_the_player(at: House) -> None:
    host = locked(at, "Ada", "Ben")
    ada, _ben = host.joined("Ada"), host.joined("Ben")
    about_the_top(ada)
    ada.do(CONSENT, {"layout": OTHER})
    in_bens_name = new_token(host, "Ben")
    said = in_bens_name.do(CONSENT, {"layout": OTHER})
    assert consents(said) == {"Ada": ("token", "player", True), "Ben": ("token", "host", False)}
    assert said["agreement"] is None
    problem = refused(host.ask("POST", RESOLVE, json=CORRECTED), 409, "consent_missing")
    assert "Ben" in problem["detail"]
    entry = host.do("/ledger", method="GET")["entries"][-1]
    assert (entry["actor"], entry["body"]["made_by"]) == ("player:Ben", "host")
    assert host.do(RESOLVE, {"outcome": "unresolved"})["status"] == "unresolved"


def test_a_pin_that_the_host_set_does_not_consent_for_who_has_a_device(at: House) -> None:
    host = locked(at, "Ada", "Ben")
    ada, ben = host.joined("Ada"), host.joined("Ben")
    host.do("/players/Ben/pin", {"pin": "2222"})
    about_the_top(ada)
    ada.do(CONSENT, {"layout": OTHER})
    said = host.do(CONSENT, {"layout": OTHER, "player": "Ben", "pin": "2222"})
    assert said["agreement"] is None
    refused(host.ask("POST", RESOLVE, json=CORRECTED), 409, "consent_missing")
    assert ben.do(CONSENT, {"layout": OTHER})["spoken_for"] == []
    assert host.do(RESOLVE, CORRECTED)["spoken_for"] == []


def test_the_host_does_not_speak_over_a_player(at: House) -> None:
    host = locked(at, "Ada", "Ben")
    ben = host.joined("Ben")
    host.do("/players/Ben/pin", {"pin": "2222"})
    about_the_top(ben)
    ben.do(CONSENT, {"layout": A})
    over = {"layout": OTHER, "player": "Ben", "pin": "2222"}
    refused(host.ask("POST", CONSENT, json=over), 409, "own_word_stands")
    ben.do(CONSENT, {"layout": OTHER})


def test_a_pin_of_ones_own_consents_on_any_device(at: House) -> None:
    """A lost phone: on the new one, and on the host's tablet, the player's own PIN says who."""
    host = locked(at, "Ada", "Ben")
    ada, ben = host.joined("Ada"), host.joined("Ben")
    ben.do("/players/Ben/pin", {"pin": "3141"})
    phone = new_token(host, "Ben")
    about_the_top(ada)
    ada.do(CONSENT, {"layout": OTHER})
    assert phone.do(CONSENT, {"layout": OTHER})["agreement"] is None
    said = phone.do(CONSENT, {"layout": OTHER, "pin": "3141"})
    assert consents(said)["Ben"] == ("pin", "player", True)
    assert said["spoken_for"] == []
    said = host.do(CONSENT, {"layout": OTHER, "player": "Ben", "pin": "3141"})
    assert (said["consents"][-1]["on"], said["consents"][-1]["own"]) == ("host", True)


def test_a_token_of_the_hosts_does_not_change_a_players_pin(at: House) -> None:
    host = at.open("Ada", "Ben")
    ben = host.joined("Ben")
    ben.do("/players/Ben/pin", {"pin": "3141"})
    in_bens_name = new_token(host, "Ben")
    asked = {"pin": "2222"}
    path = "/players/Ben/pin"
    refused(in_bens_name.ask("POST", path, json=asked), 403, "old_pin_needed")
    refused(host.ask("POST", path, json=asked), 403, "old_pin_needed")
    assert in_bens_name.do(path, {**asked, "old_pin": "3141"})["pin_by"] == "player"
    assert host.do("/players/Ada/pin", asked)["pin_by"] == "host"


def test_a_pin_set_by_a_token_of_the_hosts_is_the_hosts(at: House) -> None:
    host = at.open("Ada", "Ben")
    in_bens_name = new_token(host, "Ben")
    state = in_bens_name.do("/players/Ben/pin", {"pin": "2222"})
    assert (state["token_by"], state["pin_by"]) == ("host", "host")


def test_one_tablet_for_all_is_not_stuck_and_says_so(at: House) -> None:
    host = locked(at, "Ada", "Ben")
    about_the_top(host)
    for player in ("Ada", "Ben"):
        host.do(f"/players/{player}/pin", {"pin": "1111"})
        said = host.do(CONSENT, {"layout": OTHER, "player": player, "pin": "1111"})
    assert said["spoken_for"] == ["Ada", "Ben"]
    done = host.do(RESOLVE, CORRECTED)
    assert (done["status"], done["spoken_for"]) == ("corrected", ["Ada", "Ben"])
    entry = host.do("/ledger", method="GET")["entries"][-1]
    assert entry["body"]["spoken_for"] == ["Ada", "Ben"]


def test_the_tablet_speaks_for_who_has_no_device_if_all_others_say_the_same(at: House) -> None:
    host = locked(at, "Ada", "Ben", "Cleo")
    ben, cleo = host.joined("Ben"), host.joined("Cleo")
    about_the_top(ben)
    host.do("/players/Ada/pin", {"pin": "1111"})
    host.do(CONSENT, {"layout": OTHER, "player": "Ada", "pin": "1111"})
    assert ben.do(CONSENT, {"layout": OTHER})["agreement"] is None
    problem = refused(host.ask("POST", RESOLVE, json=CORRECTED), 409, "consent_missing")
    assert "Cleo" in problem["detail"]
    assert cleo.do(CONSENT, {"layout": OTHER})["spoken_for"] == ["Ada"]
    assert host.do(RESOLVE, CORRECTED)["spoken_for"] == ["Ada"]


def test_nobody_else_withdraws_a_players_dispute(at: House) -> None:
    host = locked(at, "Ada", "Ben")
    ben = host.joined("Ben")
    host.do("/players/Ben/pin", {"pin": "2222"})
    about_the_top(ben)
    by_pin = {**UPHELD, "player": "Ben", "pin": "2222"}
    refused(host.ask("POST", RESOLVE, json=by_pin), 409, "consent_missing")
    in_bens_name = new_token(host, "Ben")
    refused(in_bens_name.ask("POST", RESOLVE, json=UPHELD), 409, "consent_missing")
    host.do(RESOLVE, {"outcome": "unresolved"})
    about_the_top(in_bens_name)  # the token that opened it withdraws it
    assert in_bens_name.do("/disputes/2/resolve", UPHELD)["status"] == "upheld"


def test_alone_the_tablet_speaks_for_its_player(at: House) -> None:
    host = locked(at, "Ada")
    about_the_top(host)
    host.do("/players/Ada/pin", {"pin": "1111"})
    host.do(CONSENT, {"layout": OTHER, "player": "Ada", "pin": "1111"})
    assert host.do(RESOLVE, CORRECTED)["spoken_for"] == ["Ada"]
