"""What clients ask of a round: each function is one command, done once and answered."""

from collections.abc import Mapping

from pydantic import BaseModel

from api.ledger.fingerprint import fingerprint
from api.ledger.seals import last_seal
from api.storage import tables
from api.tables import play
from api.tables.kept_photos import Kept
from api.tables.play import TrayPlace
from api.tables.round_record import Sent
from api.tables.seal_view import made_seal
from api.tables.service import Answered, Asking, Change, Scene, TableService
from api.tables.solo import final_result
from api.tables.submission_view import submission_state
from api.tables.view import round_state


def reveal(service: TableService, table: str, asked: BaseModel, asking: Asking) -> Answered:
    """A new round with its terms."""

    def command(scene: Scene) -> Change:
        terms = getattr(asked, scene.record.game.names.terms)
        draft = play.reveal(scene.record, scene.actor, terms, scene.now)
        return Change([draft], lambda after: _round(after, draft.body["round"]), status=201)

    return service.change(table, asking, command)


def submit_by_hand(
    service: TableService, place: TrayPlace, asked: BaseModel, asking: Asking
) -> Answered:
    """A tray as somebody typed it in."""

    def command(scene: Scene) -> Change:
        position: str = getattr(asked, scene.record.game.names.position)
        draft = play.submit(scene.record, scene.actor, place, position, scene.now)
        return Change([draft], lambda after: submission(after, place), status=201)

    return service.change(place.table, asking, command)


def correct(service: TableService, place: TrayPlace, asked: BaseModel, asking: Asking) -> Answered:
    """Parts of a position are put right."""

    def command(scene: Scene) -> Change:
        record, actor = scene.record, scene.actor
        play.refuse_submission(record, actor, place)
        sent = play.sent_in(record, place.round, place.player)
        position = record.game.changed(sent.position, asked)
        reason: str = getattr(asked, "reason", "")
        draft = play.correct(record, actor, place, position, reason, scene.now)
        return Change([draft] if draft else [], lambda after: _corrected(after, place))

    return service.change(place.table, asking, command)


def lock(
    service: TableService,
    table: str,
    number: int,
    drawn: Mapping[str, tuple[Sent, Kept]],
    asking: Asking,
) -> Answered:
    """A round is locked. ``drawn`` are drawings by player, of trays as they were then."""

    def command(scene: Scene) -> Change:
        play.open_round(scene.record, number)
        now = scene.record.plays[number - 1].sent
        fitting = {player: kept for player, (sent, kept) in drawn.items() if now[player] == sent}
        overlays = {player: kept.sha256 for player, kept in fitting.items()}
        draft = play.lock(scene.record, scene.actor, number, overlays, scene.now)
        files = [kept.row for kept in fitting.values()]
        return Change([draft], lambda after: _locked(after, number), files=files)

    return service.change(table, asking, command)


def finish(service: TableService, table: str, asking: Asking) -> Answered:
    """The game is over."""

    def command(scene: Scene) -> Change:
        return Change([play.finish(scene.record, scene.actor, scene.now)], _game_over)

    return service.change(table, asking, command)


def submission(scene: Scene, place: TrayPlace) -> BaseModel:
    """The answer to something sent in."""
    record = scene.record
    shown = submission_state(record, place.round, place.player, files(scene))
    told = {
        "version": record.length,
        "reading": record.plays[place.round - 1].sent[place.player].reading,
        "score": shown["score"],
        "late": shown["late"],
        record.game.names.submission: shown,
    }
    return record.game.models.submission.model_validate(told)


def _corrected(scene: Scene, place: TrayPlace) -> BaseModel:
    record = scene.record
    shown = submission_state(record, place.round, place.player, files(scene))
    told = {"version": record.length, "score": shown["score"], record.game.names.submission: shown}
    return record.game.models.corrected.model_validate(told)


def _round(scene: Scene, number: int) -> BaseModel:
    return round_state(scene.record, number, files(scene), scene.now)


def _locked(scene: Scene, number: int) -> BaseModel:
    record = scene.record
    told = {"round": number, **_sealed(scene, number), **record.game.standing_shown(record)}
    return record.game.models.locked.model_validate(told)


def _game_over(scene: Scene) -> BaseModel:
    record = scene.record
    history = tables.solo_games(scene.connection, record.players[0], record.game.id)
    sealed = _sealed(scene, last_seal(record.game.rounds))
    told = {**sealed, "result": final_result(record, history)}
    return record.game.models.over.model_validate(told)


def _sealed(scene: Scene, number: int) -> dict[str, object]:
    """The ledger's head that was just sealed, and the seal."""
    record = scene.record
    return {
        "version": record.length,
        "fingerprint": fingerprint(record.head),
        "head": record.head,
        "sequence": record.length,
        "seal": made_seal(record, number),
    }


def files(scene: Scene) -> Mapping[str, tables.FileRow]:
    """The files of the scene's table."""
    return tables.files(scene.connection, scene.row.id)
