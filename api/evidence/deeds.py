"""What each kind of entry should say: the draft that the service's own decisions give for it.

One function a kind. It takes from an entry only what people or cameras brought (a layout, a
reading, a reason), lets the service's functions decide as they do when they play, and returns the
draft that they give; ``replay`` compares. So whatever the service would refuse is refused here, and
whatever it works out by itself is worked out again. A new kind needs a function in ``DEEDS``, or,
if the service writes it by itself, a draft in ``api.tables.due``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import get_args

from api.evidence.expected import expected_reader, read_photos
from api.evidence.told import Falsehood, Told
from api.ledger.chain import Entry
from api.models.disputes import DisputeRequest
from api.models.tables import TableRequest, TableSettings
from api.problems import Problem
from api.tables import disputes, play, sealing, seating, tray_choice
from api.tables.access import Actor
from api.tables.dispute_record import Outcome
from api.tables.photo_reading import PhotoReading, worth
from api.tables.play import Draft, TrayPlace
from api.tables.record import Record
from api.tables.tray_choice import Measured, measured_name
from api.tables.voices import Means, Voice, voice
from rules.dimension.board import SEATS
from rules.dimension.game import Revealed, SetUp, event_from_json, event_to_json
from rules.dimension.layout import Layout


@dataclass(frozen=True)
class Deed:
    """An entry to be judged: what the table was before it, who did it, and what it says."""

    record: Record
    actor: Actor
    entry: Entry
    seed_known: bool = True
    """Whether the history tells the seed that cards were drawn by."""

    @property
    def body(self) -> Told:
        """What the entry says, each part of the type that it should be."""
        return Told(self.entry.body)

    @property
    def place(self) -> TrayPlace:
        """Whose tray it is about, in which round."""
        return TrayPlace(self.record.table, self.body.number("round"), self.body.text("player"))


def _table_opened(deed: Deed) -> Draft:
    body, event = deed.body, deed.body.mapping("event")
    public = event.get("seed")
    seed = deed.record.seed if public is None else public
    set_up = event_from_json({"seed": seed, **event})
    if not isinstance(set_up, SetUp):
        raise Falsehood("it does not set up a table")
    told = {
        **event,
        "seed": public,
        "tray": body.optional("tray"),
        "unresolved": body["unresolved"],
    }
    settings = TableSettings.model_validate(
        {name: value for name, value in told.items() if name not in ("type", "players", "at")}
    )
    # Names are not judged: what may be one was looser once.
    asked = TableRequest.model_construct(**dict(settings), players=set_up.players)
    program = body.program() if "program" in body else None
    draft = seating.open_table(deed.actor, asked, set_up.seed, program or {}, deed.entry.at)
    if deed.seed_known or public is not None:
        return draft
    return replace(draft, body={**draft.body, "seed_sha256": body.digest("seed_sha256")})


def _player_joined(deed: Deed) -> Draft:
    return seating.join(deed.record, deed.actor, deed.body.text("player"))


def _token_reissued(deed: Deed) -> Draft:
    return seating.reissue(deed.record, deed.actor, deed.body.text("player"))


def _pin_set(deed: Deed) -> Draft:
    return seating.set_pin(deed.record, deed.actor, deed.body.text("player"))


def _tray_set(deed: Deed) -> Draft:
    body, photos = deed.body, deed.entry.files
    player, name = body.optional("player"), body.optional("tray")
    if name is None:
        return tray_choice.set_tray(deed.record, deed.actor, player, None)
    profile, reading = body.mapping("profile"), None
    if photos:
        reading = body.mapping("reading")
        read_photos(reading, photos[:1])
        if len(set(photos)) < len(photos):
            raise Falsehood("a photo is there twice")
        if Told(profile).text("name") != measured_name(photos):
            raise Falsehood("the profile is not called after the photos that it was measured from")
    warnings = tuple(body.texts("warnings")) if photos else ()
    measured = Measured(profile, warnings, photos, reading)
    return tray_choice.set_tray(deed.record, deed.actor, player, measured)


def _cards_revealed(deed: Deed) -> Draft:
    event = event_from_json(deed.body.mapping("event"))
    if not isinstance(event, Revealed):
        raise Falsehood("it reveals no cards")
    if not deed.body.flag("drawn"):
        return play.reveal(deed.record, deed.actor, event.cards, deed.entry.at)
    if deed.seed_known:
        return play.reveal(deed.record, deed.actor, None, deed.entry.at)
    if event.put_back and not deed.record.game.settings.put_back:
        raise Falsehood("this table puts no cards back")
    draft = play.reveal(deed.record, deed.actor, event.cards, deed.entry.at)
    cards = event_to_json(replace(event, at=deed.entry.at))
    return replace(draft, body={**draft.body, "event": cards, "drawn": True})


def _hourglass(start: bool) -> Callable[[Deed], Draft]:
    def turned(deed: Deed) -> Draft:
        number = deed.body.number("round")
        return play.turn_hourglass(deed.record, deed.actor, number, start, deed.entry.at)

    return turned


def _tray_submitted(deed: Deed) -> Draft:
    record, actor, body, place = deed.record, deed.actor, deed.body, deed.place
    if body.text("by") == "hand":
        return play.submit(record, actor, place, body.text("layout"), deed.entry.at)
    play.refuse_submission(record, actor, place)
    reading = read_photos(body.mapping("reading"), deed.entry.files)
    if reading.layout is None:
        raise Falsehood("no tray was found in its photos")
    seen = PhotoReading(
        deed.entry.files,
        body.mapping("reading"),
        reading.layout,
        worth(record, place.round, reading),
        expected_reader(record, body.optional_mapping("reader")),
    )
    at = body.time("at")
    if at != play.arrival(record, place.round, at, deed.entry.at):
        raise Falsehood("its photos came before the round began, or after they were noted")
    return play.submit_photos(record, actor, place, seen, at)


def _tray_corrected(deed: Deed) -> Draft:
    record, place = deed.record, deed.place
    sent = play.sent_tray(record, place.round, place.player)
    before, after = Layout.parse(sent.layout), Layout.parse(deed.body.text("after"))
    seats = {seat: after[seat] for seat in SEATS if after[seat] != before[seat]}
    reason = deed.body.text("reason")
    draft = play.correct(record, deed.actor, place, seats, reason, deed.entry.at)
    if draft is None:
        raise Falsehood("it corrects nothing")
    return draft


def _round_locked(deed: Deed) -> Draft:
    overlays = deed.body.digests("overlays")
    shown = {
        photo for play in deed.record.plays for sent in play.trays.values() for photo in sent.photos
    }
    if shown & set(overlays.values()):
        raise Falsehood("a photo stands where the drawing of one should")
    number = deed.body.number("round")
    return play.lock(deed.record, deed.actor, number, overlays, deed.entry.at)


def _game_finished(deed: Deed) -> Draft:
    draft = play.finish(deed.record, deed.actor, deed.entry.at)
    if not deed.seed_known:
        raise Falsehood("it does not tell the seed that the cards were drawn by")
    return draft


def _dispute_opened(deed: Deed) -> Draft:
    body, place = deed.body, deed.place
    card, seat = body.optional("card"), body.optional("seat")
    if (card is None) == (seat is None) or seat not in (None, *SEATS):
        raise Falsehood("a dispute is about one card or one seat")
    asked = DisputeRequest.model_construct(
        round=place.round, player=place.player, card=card, seat=seat, text=body.text("text")
    )
    return disputes.open_dispute(deed.record, deed.actor, asked)


def _dispute_photos(deed: Deed) -> Draft:
    record, body, added = deed.record, deed.body, deed.entry.files
    number = body.number("dispute")
    before = disputes.photos_of(record, disputes.open_one(record, number))
    reading = read_photos(body.mapping("reading"), (*before, *added))
    if reading.layout is None or not added:
        raise Falsehood("no tray was found in its photos")
    reader = expected_reader(record, body.optional_mapping("reader"))
    return disputes.add_photos(record, number, added, body.mapping("reading"), reader)


def _dispute_consent(deed: Deed) -> Draft:
    body = deed.body
    player, means = body.text("consents"), body.one_of("means", get_args(Means))
    who = _voice(deed, player, means)
    number, layout = body.number("dispute"), body.text("layout")
    return disputes.consent(deed.record, deed.actor, number, who, layout)


def _voice(deed: Deed, player: str, means: Means) -> Voice:
    """The voice of a player by these means, as far as they had them."""
    play.known_player(deed.record, player)
    if means == "pin" and player not in deed.record.pins:
        raise Falsehood(f"{player} had not set a PIN by then")
    return voice(deed.record, deed.actor, player, means)


def _dispute_resolved(deed: Deed) -> Draft:
    body, record = deed.body, deed.record
    outcome: Outcome = body.one_of("outcome", get_args(Outcome))
    number = body.number("dispute")
    refusal: Problem | None = None
    for shown in _withdrawing(deed, outcome):
        try:
            return disputes.resolve(record, number, outcome, deed.actor, shown, deed.entry.at)
        except Problem as problem:
            refusal = refusal or problem
    raise refusal or Falsehood("nobody who could have withdrawn it did")


def _withdrawing(deed: Deed, outcome: Outcome) -> Iterator[Voice | None]:
    """The ways in which who withdrew a dispute may have shown who they are."""
    told = deed.body.optional("withdrawn_by") if "withdrawn_by" in deed.body else _perhaps(deed)
    if outcome != "upheld" or told in (None, "host"):
        yield None
        return
    player = (told or "").removeprefix("player:")
    play.known_player(deed.record, player)
    if deed.actor.player == player:
        yield voice(deed.record, deed.actor, player, "token")
    yield _voice(deed, player, "pin")


def _perhaps(deed: Deed) -> str | None:
    """Who may have withdrawn a dispute, in histories that do not say."""
    dispute = disputes.open_one(deed.record, deed.body.number("dispute"))
    has_pin = dispute.by.removeprefix("player:") in deed.record.pins
    return dispute.by if has_pin or dispute.by == str(deed.actor) else None


def _share_committed(deed: Deed) -> Draft:
    body = deed.body
    device, committed = body.text("device"), body.digest("commitment")
    draft = sealing.commit(deed.record, deed.actor, body.number("seal"), device, committed)
    if draft is None:
        raise Falsehood("this device had committed to that already")
    return draft


def _share_told(deed: Deed) -> Draft:
    body = deed.body
    draft = sealing.tell(deed.record, body.number("seal"), body.text("device"), body.text("nonce"))
    if draft is None:
        raise Falsehood("this device had told its number already")
    return draft


DEEDS: dict[str, Callable[[Deed], Draft]] = {
    "table_opened": _table_opened,
    "player_joined": _player_joined,
    "token_reissued": _token_reissued,
    "pin_set": _pin_set,
    "tray_set": _tray_set,
    "cards_revealed": _cards_revealed,
    "hourglass_started": _hourglass(True),
    "hourglass_stopped": _hourglass(False),
    "tray_submitted": _tray_submitted,
    "tray_corrected": _tray_corrected,
    "round_locked": _round_locked,
    "game_finished": _game_finished,
    "share_committed": _share_committed,
    "share_told": _share_told,
    "dispute_opened": _dispute_opened,
    "dispute_photos": _dispute_photos,
    "dispute_consent": _dispute_consent,
    "dispute_resolved": _dispute_resolved,
}
"""By kind, what people do; what the service does by itself is in ``api.tables.due``."""
