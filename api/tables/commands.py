"""What clients ask of a round: each function is one command, done once and answered."""

from collections.abc import Mapping

from api.ledger.fingerprint import fingerprint
from api.ledger.seals import LAST_SEAL
from api.models.tables import (
    Correction,
    GameOver,
    Locked,
    RoundRequest,
    RoundState,
    TrayByHand,
)
from api.models.trays import Corrected, Submission
from api.storage import tables
from api.tables import play
from api.tables.keeping import Kept
from api.tables.play import TrayPlace
from api.tables.round_record import Sent
from api.tables.seal_view import made_seal
from api.tables.service import Answered, Asking, Change, Scene, TableService
from api.tables.solo import final_result
from api.tables.tray_view import tray_state
from api.tables.view import handover, round_state, standings


def reveal(service: TableService, table: str, asked: RoundRequest, asking: Asking) -> Answered:
    """A new round with its cards."""

    def command(scene: Scene) -> Change:
        draft = play.reveal(scene.record, scene.actor, asked.cards, scene.now)
        return Change([draft], lambda after: _round(after, draft.body["round"]), status=201)

    return service.change(table, asking, command)


def turn_hourglass(
    service: TableService, table: str, number: int, start: bool, asking: Asking
) -> Answered:
    """The hourglass starts, or is stopped."""

    def command(scene: Scene) -> Change:
        draft = play.turn_hourglass(scene.record, scene.actor, number, start, scene.now)
        return Change([draft], lambda after: _round(after, number))

    return service.change(table, asking, command)


def submit_by_hand(
    service: TableService, place: TrayPlace, asked: TrayByHand, asking: Asking
) -> Answered:
    """A tray as somebody typed it in."""

    def command(scene: Scene) -> Change:
        draft = play.submit(scene.record, scene.actor, place, asked.layout, scene.now)
        return Change([draft], lambda after: submission(after, place), status=201)

    return service.change(place.table, asking, command)


def correct(service: TableService, place: TrayPlace, asked: Correction, asking: Asking) -> Answered:
    """Seats of a tray are put right."""

    def command(scene: Scene) -> Change:
        seats: dict[str, str | None] = {
            seat: None if color == "." else color for seat, color in asked.seats.items()
        }
        draft = play.correct(scene.record, scene.actor, place, seats, asked.reason, scene.now)
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
        trays = scene.record.plays[number - 1].trays
        fitting = {player: kept for player, (sent, kept) in drawn.items() if trays[player] == sent}
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


def submission(scene: Scene, place: TrayPlace) -> Submission:
    """The answer to a tray sent in."""
    tray = tray_state(scene.record, place.round, place.player, _files(scene))
    reading = scene.record.plays[place.round - 1].trays[place.player].reading
    return Submission.model_validate(
        {
            "version": scene.record.length,
            "reading": reading,
            "score": tray.score,
            "late": tray.late,
            "tray": tray,
        }
    )


def _corrected(scene: Scene, place: TrayPlace) -> Corrected:
    tray = tray_state(scene.record, place.round, place.player, _files(scene))
    return Corrected.model_validate(
        {"version": scene.record.length, "score": tray.score, "tray": tray}
    )


def _round(scene: Scene, number: int) -> RoundState:
    return round_state(scene.record, number, _files(scene), scene.now)


def _locked(scene: Scene, number: int) -> Locked:
    record, seal = scene.record, made_seal(scene.record, number)
    assert seal is not None
    return Locked(
        version=record.length,
        round=number,
        fingerprint=fingerprint(record.head),
        head=record.head,
        sequence=record.length,
        seal=seal,
        standings=standings(record.game.standings),
        handovers=[handover(one) for one in record.game.handovers],
    )


def _game_over(scene: Scene) -> GameOver:
    record = scene.record
    result = final_result(record, tables.solo_games(scene.connection, record.players[0]))
    seal = made_seal(record, LAST_SEAL)
    assert result is not None
    assert seal is not None
    return GameOver(
        version=record.length,
        fingerprint=fingerprint(record.head),
        head=record.head,
        sequence=record.length,
        seal=seal,
        result=result,
    )


def _files(scene: Scene) -> Mapping[str, tables.FileRow]:
    return tables.files(scene.connection, scene.row.id)
