"""What each kind of entry should say: the draft that the service's own decisions give for it.

One function a kind. It takes from an entry only what people or cameras brought (a layout, a
reading, a reason), lets the service's functions decide as they do when they play, and returns the
draft that they give; ``replay`` compares. So whatever the service would refuse is refused here, and
whatever it works out by itself is worked out again. A new kind needs a function in ``_DEEDS``, or,
if only one game has it, in that game's part ``deeds``; if the service writes it by itself, a draft
in ``api.tables.due``.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import cast, get_args

from api.evidence.deed import Deed
from api.evidence.expected import expected_reader, read_photos
from api.evidence.told import Falsehood, Told
from api.games.registry import part
from api.problems import Problem
from api.tables import disputes, play, sealing, seating, tray_choice
from api.tables.dispute_record import Outcome
from api.tables.draft import Draft
from api.tables.photo_reading import PhotoReading, worth
from api.tables.table_game import TableGame, table_game
from api.tables.tray_choice import Measured, measured_name
from api.tables.voices import Means, Voice, voice
from rules.games import DEFAULT

_Judge = Callable[[Deed], Draft]


def _table_opened(deed: Deed) -> Draft:
    body, event = deed.body, deed.body.mapping("event")
    named = body.text("game") if "game" in body else None  # old histories name none
    game = table_game(named or DEFAULT)
    public = event.get("seed")
    told = {
        **event,
        "game": game.id,
        "seed": public,
        "tray": body.optional("tray"),
        "unresolved": body["unresolved"],
    }
    settings = game.models.settings.model_validate(
        {name: value for name, value in told.items() if name not in ("type", "players", "at")}
    )
    # Names are not judged: what may be one was looser once.
    players = tuple(Told(event).texts("players"))
    asked = game.models.opening.model_construct(**dict(settings), players=players)
    program = body.program() if "program" in body else None
    seed = deed.record.seed if public is None else public
    draft = seating.open_table(deed.actor, asked, seed, program or {}, deed.entry.at)
    if named is None:
        draft = replace(draft, body={k: v for k, v in draft.body.items() if k != "game"})
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
        read_photos(deed.record.game, reading, photos[:1])
        if len(set(photos)) < len(photos):
            raise Falsehood("a photo is there twice")
        if Told(profile).text("name") != measured_name(photos):
            raise Falsehood("the profile is not called after the photos that it was measured from")
    warnings = tuple(body.texts("warnings")) if photos else ()
    measured = Measured(profile, warnings, photos, reading)
    return tray_choice.set_tray(deed.record, deed.actor, player, measured)


def _revealed(deed: Deed) -> Draft:
    game, event, at = deed.record.game, deed.body.mapping("event"), deed.entry.at
    terms = Told(event)[game.names.terms]
    if not deed.body.flag("drawn"):
        return play.reveal(deed.record, deed.actor, terms, at)
    if deed.seed_known:
        return play.reveal(deed.record, deed.actor, None, at)
    drawn = game.told_draw(deed.record.state, event, at)
    draft = play.reveal(deed.record, deed.actor, terms, at)
    return replace(draft, body={**draft.body, "event": drawn, "drawn": True})


def _submitted(deed: Deed) -> Draft:
    record, actor, body, place = deed.record, deed.actor, deed.body, deed.place
    position = record.game.names.position
    if body.text("by") == "hand":
        return play.submit(record, actor, place, body.text(position), deed.entry.at)
    play.refuse_submission(record, actor, place)
    told = body.mapping("reading")
    reading = read_photos(record.game, told, deed.entry.files)
    if told[position] is None:
        raise Falsehood("no tray was found in its photos")
    seen = PhotoReading(
        deed.entry.files,
        told,
        told[position],
        worth(record, place.round, reading),
        expected_reader(record, body.optional_mapping("reader")),
    )
    at = body.time("at")
    if at != play.arrival(record, place.round, at, deed.entry.at):
        raise Falsehood("its photos came before the round began, or after they were noted")
    return play.submit_photos(record, actor, place, seen, at)


def _corrected(deed: Deed) -> Draft:
    after, reason = deed.body.text("after"), deed.body.text("reason")
    draft = play.correct(deed.record, deed.actor, deed.place, after, reason, deed.entry.at)
    if draft is None:
        raise Falsehood("it corrects nothing")
    return draft


def _round_locked(deed: Deed) -> Draft:
    overlays = deed.body.digests("overlays")
    shown = {
        photo for play in deed.record.plays for sent in play.sent.values() for photo in sent.photos
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
    place, text = deed.place, deed.body.text("text")
    asked = disputes.Disputed(place.round, place.player, deed.entry.body, text)
    return disputes.open_dispute(deed.record, deed.actor, asked)


def _dispute_photos(deed: Deed) -> Draft:
    record, body, added = deed.record, deed.body, deed.entry.files
    number = body.number("dispute")
    before = disputes.photos_of(record, disputes.open_one(record, number))
    told = body.mapping("reading")
    read_photos(record.game, told, (*before, *added))
    if told[record.game.names.position] is None or not added:
        raise Falsehood("no tray was found in its photos")
    reader = expected_reader(record, body.optional_mapping("reader"))
    return disputes.add_photos(record, number, added, told, reader)


def _dispute_consent(deed: Deed) -> Draft:
    body = deed.body
    player, means = body.text("consents"), body.one_of("means", get_args(Means))
    who = _voice(deed, player, means)
    number, position = body.number("dispute"), body.text(deed.record.game.names.position)
    return disputes.consent(deed.record, deed.actor, number, who, position)


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


_DEEDS: dict[str, _Judge] = {
    "table_opened": _table_opened,
    "player_joined": _player_joined,
    "token_reissued": _token_reissued,
    "pin_set": _pin_set,
    "tray_set": _tray_set,
    "round_locked": _round_locked,
    "game_finished": _game_finished,
    "share_committed": _share_committed,
    "share_told": _share_told,
    "dispute_opened": _dispute_opened,
    "dispute_photos": _dispute_photos,
    "dispute_consent": _dispute_consent,
    "dispute_resolved": _dispute_resolved,
}
"""By kind, what people do in all games; what the service does itself is in ``api.tables.due``."""


def deeds(game: TableGame) -> Mapping[str, _Judge]:
    """What people do in a game, by the kinds of its entries."""
    own = cast(Mapping[str, _Judge], part(game.id, "deeds") or {})
    names = game.names
    return {
        **_DEEDS,
        names.revealed: _revealed,
        names.submitted: _submitted,
        names.corrected: _corrected,
        **own,
    }
