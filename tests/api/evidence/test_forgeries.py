"""Whoever runs the service can make every hash right; the rules tell what cannot have been."""

from collections.abc import Callable
from typing import Any

import pytest

from api.versions import versions
from rules.dimension.layout import Layout
from tests.api.evidence.recorded import OTHER, Recorded, Row, Rows, copied, first
from tests.api.tables.house import A, B, C
from tests.vision.dimension.readings import make_reading


def place(rows: Rows, kind: str, **told: Any) -> int:
    return rows.index(first(rows, kind, **told))


def drop(rows: Rows, kind: str, **told: Any) -> None:
    rows.remove(first(rows, kind, **told))


def put_after(rows: Rows, row: Row, kind: str, **told: Any) -> None:
    """Put an entry behind another, at the same time."""
    index = place(rows, kind, **told)
    at = rows[index]["at"]
    row["at"] = at
    if isinstance(row["body"].get("event"), dict):
        row["body"]["event"]["at"] = at
    rows.insert(index + 1, row)


def correction_after_the_lock(rows: Rows) -> None:
    row = copied(first(rows, "tray_corrected", round=3))
    after = str(Layout.parse(row["body"]["after"]).with_seat("C", "K").with_seat("R0", None))
    row["body"] |= {"before": row["body"]["after"], "after": after}
    row["body"]["event"]["layout"] = after
    put_after(rows, row, "round_locked", round=3)


def no_consents(rows: Rows) -> None:
    rows[:] = [row for row in rows if row["kind"] != "dispute_consent"]


def an_opponents_consent_only(rows: Rows) -> None:
    drop(rows, "dispute_consent", consents="Ada")


def consent_by_a_pin_that_was_never_set(rows: Rows) -> None:
    drop(rows, "pin_set")


def consent_by_token_on_the_hosts_tablet(rows: Rows) -> None:
    first(rows, "dispute_consent", consents="Ben")["body"]["means"] = "token"


def upheld_though_nobody_withdrew_it(rows: Rows) -> None:
    first(rows, "dispute_resolved", outcome="upheld")["body"]["withdrawn_by"] = None


def withdrawn_by_somebody_else(rows: Rows) -> None:
    first(rows, "dispute_resolved", outcome="upheld")["body"]["withdrawn_by"] = "player:Ada"


def the_others_favoured(rows: Rows) -> None:
    body = first(rows, "dispute_resolved", outcome="unresolved")["body"]
    body |= {"favoured": "owner"}


def better_standings(rows: Rows) -> None:
    rows[-1]["body"]["standings"]["Ben"]["points"] += 5


def another_winner(rows: Rows) -> None:
    standings = rows[-1]["body"]["standings"]
    standings["Ada"], standings["Ben"] = standings["Ben"], standings["Ada"]


def a_point_more(rows: Rows) -> None:
    first(rows, "round_locked", round=4)["body"]["scores"]["Ben"]["points"] += 1


def a_bonus_token_more(rows: Rows) -> None:
    first(rows, "round_locked", round=4)["body"]["scores"]["Ben"]["bonus"] += 1


def a_player_without_a_tray(rows: Rows) -> None:
    drop(rows, "tray_submitted", round=4, player="Ben")


def a_player_without_a_tray_or_a_score(rows: Rows) -> None:
    a_player_without_a_tray(rows)
    del first(rows, "round_locked", round=4)["body"]["scores"]["Ben"]


def a_player_left_out_of_the_scores(rows: Rows) -> None:
    del first(rows, "round_locked", round=4)["body"]["scores"]["Ben"]


def a_layout_that_was_not_read(rows: Rows) -> None:
    body = first(rows, "tray_submitted", by="photo", round=1)["body"]
    body["layout"] = body["event"]["layout"] = C


def a_reading_that_was_not_sent_in(rows: Rows) -> None:
    row = first(rows, "tray_submitted", by="photo", round=1)
    reading = make_reading(C).to_json()
    row["body"]["reading"] = {**reading, "photo": row["files"][0]}


def a_reading_of_another_photo(rows: Rows) -> None:
    first(rows, "tray_submitted", by="photo", round=1)["files"] = ["7" * 64]


def less_doubt_than_there_was(rows: Rows) -> None:
    body = first(rows, "tray_submitted", by="photo", round=1)["body"]
    body["doubt"]["points"] = body["doubt"]["points"][:1]


def other_points_under_dispute(rows: Rows) -> None:
    first(rows, "dispute_opened")["body"]["points"] += 1


def other_words_of_advice(rows: Rows) -> None:
    first(rows, "dispute_opened")["body"]["advice"] = "Believe Ada."


def read_by_other_models(rows: Rows) -> None:
    body = first(rows, "tray_submitted", by="photo", round=1)["body"]
    body["reader"]["models"] = dict.fromkeys(versions()["models"], "0" * 12)


def read_by_a_profile_that_nobody_set(rows: Rows) -> None:
    body = first(rows, "tray_submitted", by="photo", round=1)["body"]
    body["reader"]["trays"] = {"mine": "0" * 12}


def time_runs_backwards(rows: Rows) -> None:
    first(rows, "pin_set")["at"] -= 100.0


def an_event_at_another_time(rows: Rows) -> None:
    first(rows, "cards_revealed")["body"]["event"]["at"] -= 1.0


def a_photo_from_before_the_round(rows: Rows) -> None:
    body = first(rows, "tray_submitted", by="photo", round=1)["body"]
    body["at"] = body["event"]["at"] = body["at"] - 1000.0


def a_photo_from_after_it_was_noted(rows: Rows) -> None:
    body = first(rows, "tray_submitted", by="photo", round=1)["body"]
    body["at"] = body["event"]["at"] = body["at"] + 1.0


def nobody_is_late_if_the_sand_never_ran_out(rows: Rows) -> None:
    drop(rows, "hourglass_ran_out")


def the_sand_ran_out_later(rows: Rows) -> None:
    first(rows, "hourglass_ran_out")["body"]["event"]["at"] += 10.0


def turned_again_after_it_was_stopped(rows: Rows) -> None:
    put_after(rows, copied(first(rows, "hourglass_started", round=1)), "hourglass_stopped")


def stopped_twice(rows: Rows) -> None:
    put_after(rows, copied(first(rows, "hourglass_stopped")), "hourglass_stopped")


def a_stranger(rows: Rows) -> None:
    first(rows, "tray_submitted", by="hand")["actor"] = "player:Eve"


def somebody_elses_tray(rows: Rows) -> None:
    first(rows, "tray_submitted", player="Ben")["actor"] = "player:Ada"


def a_player_who_locks(rows: Rows) -> None:
    first(rows, "round_locked")["actor"] = "player:Ben"


def a_service_that_locks(rows: Rows) -> None:
    first(rows, "round_locked")["actor"] = "service"


def a_host_who_lets_the_sand_run_out(rows: Rows) -> None:
    first(rows, "hourglass_ran_out")["actor"] = "host"


def a_player_who_never_joined(rows: Rows) -> None:
    drop(rows, "player_joined", player="Ada")


def a_player_who_joined_as_another(rows: Rows) -> None:
    first(rows, "player_joined", player="Ada")["body"]["player"] = "Ben"


def a_kind_that_nobody_knows(rows: Rows) -> None:
    rows.insert(3, {**copied(rows[2]), "kind": "points_given"})


def a_field_that_nobody_knows(rows: Rows) -> None:
    first(rows, "round_locked")["body"]["comment"] = "fair"


def a_field_that_is_missing(rows: Rows) -> None:
    del first(rows, "round_locked")["body"]["overlays"]


def another_round(rows: Rows) -> None:
    first(rows, "cards_revealed", round=3)["body"]["round"] = 4


def a_photo_of_what_was_typed(rows: Rows) -> None:
    first(rows, "tray_submitted", by="hand")["files"] = ["7" * 64]


def a_drawing_without_a_photo(rows: Rows) -> None:
    row = first(rows, "round_locked", round=1)
    row["body"]["overlays"]["Ben"] = row["body"]["overlays"]["Ada"]


def a_photo_for_a_drawing(rows: Rows) -> None:
    row = first(rows, "round_locked", round=1)
    digest = first(rows, "tray_submitted", by="photo", round=1)["files"][0]
    row["body"]["overlays"]["Ada"], row["files"] = digest, [digest]


def cards_of_an_earlier_round(rows: Rows) -> None:
    earlier = first(rows, "cards_revealed", round=1)["body"]["event"]["cards"]
    first(rows, "cards_revealed", round=2)["body"]["event"]["cards"] = earlier


def cards_that_are_not_in_the_deck(rows: Rows) -> None:
    cards = first(rows, "cards_revealed", round=2)["body"]["event"]["cards"]
    cards[0] = "exactly:5O"


def other_cards_than_were_drawn(rows: Rows) -> None:
    cards = first(rows, "cards_revealed", round=1)["body"]["event"]["cards"]
    cards[0], cards[1] = cards[1], cards[0]


def another_seed(rows: Rows) -> None:
    rows[-1]["body"]["seed"] = "1"


def no_seed(rows: Rows) -> None:
    rows[-1]["body"]["seed"] = None


def a_round_after_the_end(rows: Rows) -> None:
    put_after(rows, copied(first(rows, "cards_revealed")), "game_finished")


def a_profile_after_the_end(rows: Rows) -> None:
    put_after(rows, copied(first(rows, "tray_set")), "game_finished")


def two_ends(rows: Rows) -> None:
    put_after(rows, copied(rows[-1]), "game_finished")


def an_end_while_something_is_disputed(rows: Rows) -> None:
    drop(rows, "dispute_resolved", dispute=3)


def two_tables_in_one(rows: Rows) -> None:
    rows.insert(1, copied(rows[0]))


def a_tray_that_cannot_be(rows: Rows) -> None:
    body = first(rows, "tray_submitted", by="hand")["body"]
    body["layout"] = body["event"]["layout"] = "OOOO..O/....../."


def a_correction_of_nothing(rows: Rows) -> None:
    body = first(rows, "tray_corrected", round=3)["body"]
    body["after"] = body["event"]["layout"] = body["before"]


def a_correction_of_what_was_not_there(rows: Rows) -> None:
    first(rows, "tray_corrected", round=3)["body"]["before"] = A


def a_pin_of_the_hosts_called_bens_own(rows: Rows) -> None:
    first(rows, "pin_set")["actor"] = "host"


def a_hosts_word_called_bens_own(rows: Rows) -> None:
    a_pin_of_the_hosts_called_bens_own(rows)
    first(rows, "pin_set")["body"]["made_by"] = "host"


def spoken_for_without_a_word(rows: Rows) -> None:
    first(rows, "dispute_resolved", outcome="corrected")["body"]["spoken_for"] = ["Ben"]


def a_number_that_nobody_committed_to(rows: Rows) -> None:
    first(rows, "share_told")["body"]["nonce"] = "0" * 64


def a_number_told_before_the_seal(rows: Rows) -> None:
    put_after(rows, copied(first(rows, "share_told")), "share_committed", seal=1)


def a_device_that_joins_a_seal_afterwards(rows: Rows) -> None:
    row = copied(first(rows, "share_committed", seal=1))
    row["body"] |= {"device": "f" * 32, "commitment": "f" * 64}
    put_after(rows, row, "round_locked", round=1)


def words_closed_too_early(rows: Rows) -> None:
    row = first(rows, "words_closed")
    rows.remove(row)
    put_after(rows, row, "round_locked", round=2)


def words_never_closed(rows: Rows) -> None:
    drop(rows, "words_closed")


FORGERIES: dict[Callable[[Rows], None], str] = {
    correction_after_the_lock: "Round 3 is locked: only a dispute can change it.",
    no_consents: "The consent of Ada, whose tray it is, is missing.",
    an_opponents_consent_only: "The consent of Ada, whose tray it is, is missing.",
    consent_by_a_pin_that_was_never_set: "Ben had not set a PIN by then.",
    consent_by_token_on_the_hosts_tablet: "Ben speaks by PIN on another's device.",
    upheld_though_nobody_withdrew_it: "when who opened it withdraws it",
    withdrawn_by_somebody_else: "Ada had not set a PIN by then.",
    the_others_favoured: 'says favoured is "owner"; by the rules it is "opponents".',
    a_pin_of_the_hosts_called_bens_own: 'says made_by is "player"; by the rules it is "host".',
    a_hosts_word_called_bens_own: 'says made_by is "player"; by the rules it is "host".',
    spoken_for_without_a_word: "says spoken_for is",
    a_number_that_nobody_committed_to: "not the number that the device committed to",
    a_number_told_before_the_seal: "Seal 1 is not made yet",
    a_device_that_joins_a_seal_afterwards: "the device is too late to take part",
    words_closed_too_early: "the service does nothing of that kind by itself",
    words_never_closed: "words_closed should have been noted before it",
    better_standings: "says standings.Ben.points is",
    another_winner: "says standings.Ada.points is",
    a_point_more: "says scores.Ben.points is",
    a_bonus_token_more: "says scores.Ben.bonus is",
    a_player_without_a_tray: "These trays are still missing: Ben.",
    a_player_without_a_tray_or_a_score: "These trays are still missing: Ben.",
    a_player_left_out_of_the_scores: "says scores.Ben is missing",
    a_layout_that_was_not_read: f'says layout is "{C}"; by the rules it is "{A}".',
    a_reading_that_was_not_sent_in: f'says layout is "{A}"; by the rules it is "{C}".',
    a_reading_of_another_photo: "the reading is not of its photos.",
    less_doubt_than_there_was: "says doubt.points.",
    other_points_under_dispute: "says points is",
    other_words_of_advice: 'says advice is "Believe Ada."',
    read_by_other_models: "says reader.models.",
    read_by_a_profile_that_nobody_set: "a tray profile that this table never set",
    time_runs_backwards: "time runs backwards",
    an_event_at_another_time: "says event.at is",
    a_photo_from_before_the_round: "came before the round began",
    a_photo_from_after_it_was_noted: "or after they were noted",
    nobody_is_late_if_the_sand_never_ran_out: "hourglass_ran_out should have been noted before it",
    the_sand_ran_out_later: "says event.at is",
    turned_again_after_it_was_stopped: "The hourglass was turned in this round already.",
    stopped_twice: "The hourglass is not running.",
    a_stranger: "nobody of that name is at the table",
    somebody_elses_tray: "Only Ben or the host can do this.",
    a_player_who_locks: "Only the host of this table can do this.",
    a_service_that_locks: "the service does nothing of that kind by itself",
    a_host_who_lets_the_sand_run_out: "should have been noted before it",
    a_player_who_never_joined: "Ada had not joined by then",
    a_player_who_joined_as_another: "Only Ben can sit down as Ben.",
    a_kind_that_nobody_knows: "(points_given by",
    a_field_that_nobody_knows: 'says comment is "fair"; by the rules it is not there.',
    a_field_that_is_missing: "“overlays” is missing",
    another_round: "says round is 4; by the rules it is 3.",
    a_photo_of_what_was_typed: "does not have just the files that it must have",
    a_drawing_without_a_photo: "No photo was taken of the tray of Ben.",
    a_photo_for_a_drawing: "a photo stands where the drawing of one should",
    cards_of_an_earlier_round: "lay on the table in round 1",
    cards_that_are_not_in_the_deck: "exactly:5O",
    other_cards_than_were_drawn: "says event.cards is",
    another_seed: "it does not tell the seed that the cards were drawn by",
    no_seed: "it does not tell the seed that the cards were drawn by",
    a_round_after_the_end: "all have been played",
    a_profile_after_the_end: "The game is over already.",
    two_ends: "The game is over already.",
    an_end_while_something_is_disputed: "Dispute 3 is to be resolved first.",
    two_tables_in_one: "a table is opened once, and first",
    a_tray_that_cannot_be: "is false: ",
    a_correction_of_nothing: "it corrects nothing",
    a_correction_of_what_was_not_there: f'says before is "{A}"; by the rules it is "{B}".',
}
"""What is forged, and what is told of it."""


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_a_forged_history_is_told_on(recorded: Recorded, forge: Callable[[Rows], None]) -> None:
    problems = recorded.forged(forge).problems
    assert FORGERIES[forge] in " ".join(problems), problems
    assert all(problem.endswith(".") and problem.startswith("Entry ") for problem in problems)


def test_a_dispute_may_correct_what_is_locked(recorded: Recorded) -> None:
    resolved = first(recorded.rows(), "dispute_resolved", outcome="corrected")
    assert resolved["body"]["after"] == OTHER
    assert recorded.forged(lambda rows: rows).intact
