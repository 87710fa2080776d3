"""Seals: the words of a round depend on numbers that nobody knew when it was locked."""

from typing import Any

from api.ledger.seals import seal_words
from api.tables.sealing import MOST_DEVICES, TOLD_WITHIN_S
from tests.api.tables.devices import Device, chained
from tests.api.tables.house import A, At, B, House, refused


def table(at: House) -> tuple[At, Device, Device]:
    """A round that can be locked: the host's tablet and Ben's phone take part in its seal."""
    host = at.open("Ada", "Ben")
    tablet, phone = Device(host), Device(host.joined("Ben"))
    host.reveal()
    host.submit(1, "Ada", A)
    host.submit(1, "Ben", B)
    for device in (tablet, phone):
        device.commit(1)
    return host, tablet, phone


def seal(at: At, number: int = 1) -> Any:
    return at.state()["rounds"][number - 1]["seal"]


def test_words_are_of_the_history_and_of_all_numbers(at: House) -> None:
    host, tablet, phone = table(at)
    locked = host.lock(1)
    assert locked["seal"] == {
        **{name: locked[name] for name in ("fingerprint", "head", "sequence")},
        **{"devices": 2, "told": 0, "words": None},
    }
    assert phone.tell(1)["words"] is None
    told = tablet.tell(1)
    assert (
        told["words"]
        == seal_words(locked["head"], [tablet.share(1), phone.share(1)])
        != locked["fingerprint"]
    )
    assert len(told["words"].split()) == 6
    assert seal(host) == {**locked["seal"], "told": 2, "words": told["words"]}


def test_without_devices_the_words_are_of_the_history_alone(at: House) -> None:
    host = at.open("Ada")
    locked = host.play_round(1, Ada=A)
    assert locked["seal"]["words"] == locked["fingerprint"]
    assert (locked["seal"]["devices"], locked["seal"]["told"]) == (0, 0)


def test_a_number_stays_secret_until_the_round_is_locked(at: House) -> None:
    host, tablet, _ = table(at)
    refused(tablet.ask_tell(1), 409, "not_sealed")
    host.lock(1)
    refused(tablet.ask_tell(1, "0" * 64), 422, "wrong_nonce")
    refused(Device(host).ask_tell(1, "0" * 64), 404, "no_commitment")
    tablet.tell(1)
    length = host.state()["version"]
    tablet.tell(1)  # told again, it is the same
    assert host.state()["version"] == length


def test_who_is_silent_is_waited_for_ten_seconds(at: House) -> None:
    host, tablet, phone = table(at)
    host.lock(1)
    tablet.tell(1)
    assert host.do("/seals/1/words")["words"] is None
    at.clock.at += TOLD_WITHIN_S
    made = host.do("/seals/1/words")
    assert (made["devices"], made["told"]) == (2, 1)
    assert made["words"] is not None
    entry = host.do("/ledger", method="GET")["entries"][-1]
    assert (entry["actor"], entry["kind"]) == ("service", "words_closed")
    assert entry["body"] == {"seal": 1, "devices": 2, "told": 1}
    refused(phone.ask_tell(1), 409, "words_closed")
    assert seal(host)["words"] == made["words"]


def test_whatever_happens_next_makes_overdue_words(at: House) -> None:
    host, _, _ = table(at)
    host.lock(1)
    at.clock.at += TOLD_WITHIN_S
    host.reveal(None)
    kinds = [entry["kind"] for entry in host.do("/ledger", method="GET")["entries"]]
    assert kinds[-2:] == ["words_closed", "cards_revealed"]


def test_a_device_commits_once_and_before_the_lock(at: House) -> None:
    host, tablet, _ = table(at)
    version = host.state()["version"]
    tablet.commit(1)  # asked again, it is the same
    assert host.state()["version"] == version
    other_tab = Device(tablet.at, tablet.id)
    refused(other_tab.ask_commit(1), 409, "already_committed")
    refused(tablet.ask_commit(2), 404, "no_seal")
    host.lock(1)
    refused(Device(host).ask_commit(1), 409, "sealed")
    tablet.commit(2)  # the next round's, before its cards lie on the table


def test_an_old_commitment_is_of_no_use(at: House) -> None:
    host, tablet, phone = table(at)
    host.lock(1)
    for device in (tablet, phone):
        device.tell(1)
    old = {"device": tablet.id, "commitment": tablet.share(1)[0]}
    refused(host.ask("POST", "/seals/2/commitment", json=old), 409, "commitment_known")
    copied = {**old, "device": "0" * 32}
    refused(host.ask("POST", "/seals/2/commitment", json=copied), 409, "commitment_known")


def test_nobody_takes_part_with_a_crowd(at: House) -> None:
    host = at.open("Ada", "Ben")
    ben = host.joined("Ben")
    for _ in range(MOST_DEVICES):
        Device(ben).commit(1)
    refused(Device(ben).ask_commit(1), 409, "too_many_devices")
    Device(host).commit(1)


def test_the_end_of_the_game_is_sealed_too(at: House) -> None:
    host = at.open("Ada")
    tablet = Device(host)
    for number in range(1, 7):
        host.play_round(number, Ada=A)
    tablet.commit(7)
    over = host.do("/finish")
    assert over["seal"]["head"] == over["head"]
    words = tablet.tell(7)["words"]
    assert host.state()["seal"]["words"] == words != over["fingerprint"]
    refused(Device(host).ask_commit(7), 409, "sealed")


def test_strangers_take_no_part(at: House) -> None:
    host = at.open("Ada")
    stranger = Device(At(at, host.id, host.code, "nobody"))
    refused(stranger.ask_commit(1), 403, "wrong_token")
    refused(stranger.at.ask("GET", "/chain/0"), 403, "wrong_token")


def test_there_are_seven_seals(at: House) -> None:
    device = Device(at.open("Ada"))
    refused(device.ask_commit(0), 422, "bad_request")
    refused(device.ask_commit(8), 404, "no_seal")


def test_a_device_follows_the_chain_by_itself(at: House) -> None:
    host, _, phone = table(at)
    length, head = chained(host)
    host.lock(1)
    phone.tell(1)
    longer, newest = chained(host, length, head)
    assert longer == length + 2
    assert newest == host.state()["ledger"]["head"]
    beyond = host.do(f"/chain/{longer + 5}", method="GET")
    assert (beyond["length"], beyond["entries"]) == (longer, [])
