"""A record as every device shows it."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Literal

from api.ledger.fingerprint import fingerprint
from api.ledger.seals import LAST_SEAL
from api.models.tables import (
    FinalScoreState,
    HandoverState,
    Hourglass,
    LedgerHead,
    PlayerState,
    Result,
    RoundState,
    Standing,
    TableSettings,
    TableState,
    You,
)
from api.models.trays import CoinCount
from api.storage.tables import TableRow
from api.tables.access import Actor
from api.tables.dispute_view import dispute_state
from api.tables.record import Record
from api.tables.round_record import Play
from api.tables.seal_view import made_seal
from api.tables.tray_view import Files, tray_in_use, tray_state
from rules.dimension.cards import Card, Kind
from rules.dimension.game.state import Round as GameRound
from rules.dimension.game.state import Standing as GameStanding
from rules.dimension.game.tokens import Handover, Tokens
from rules.dimension.scoring import FinalScore, winners


def table_state(
    record: Record, row: TableRow, actor: Actor, files: Files, now: float
) -> TableState:
    """The whole table for a device that shows it; the solo comparison is added by the service."""
    game = record.game
    return TableState(
        id=row.id,
        code=row.code,
        version=record.length,
        created_at=record.created_at,
        server_now=now,
        you=You(role="host" if actor.role == "host" else "player", player=actor.player),
        settings=settings(record),
        players=[player_state(record, name, files) for name in record.players],
        rounds=[
            round_state(record, number, files, now) for number in range(1, len(record.plays) + 1)
        ],
        rounds_left=game.rounds_left,
        standings=standings(game.standings),
        handovers=[handover(one) for one in game.handovers],
        disputes=[dispute_state(record, one, files) for one in record.disputes],
        ledger=ledger_head(record),
        finished=game.finished,
        result=result(record),
        seal=made_seal(record, LAST_SEAL),
    )


def player_state(record: Record, name: str, files: Files) -> PlayerState:
    """A player and what they play with."""
    return PlayerState(
        name=name,
        joined=name in record.joined,
        pin=name in record.pins,
        token_by=record.joined.get(name),
        pin_by=record.pins.get(name),
        tray=tray_in_use(record, name, files),
    )


def settings(record: Record) -> TableSettings:
    """How the table plays. A secret seed is not shown."""
    agreed = record.game.settings
    return TableSettings.model_validate(
        {
            "edition": agreed.edition,
            "cards_per_round": agreed.cards_per_round,
            "without": agreed.without,
            "put_back": agreed.put_back,
            "rulings": agreed.rulings.to_json(),
            "hourglass_s": agreed.hourglass_s,
            "seed": agreed.seed if record.opened["seed_sha256"] is None else None,
            "deck": agreed.deck,
            "tray": record.opened["tray"],
            "unresolved": record.opened["unresolved"],
        }
    )


def round_state(record: Record, number: int, files: Files, now: float) -> RoundState:
    """A round with everybody's tray."""
    game, play = record.game, record.plays[number - 1]
    round_ = game.rounds[number - 1]
    seal = play.seal
    after = game.history[number] if round_.closed else None
    return RoundState(
        number=number,
        cards=[str(card) for card in round_.cards],
        drawn=play.drawn,
        put_back=list(play.put_back),
        contradictions=contradictions(round_.cards),
        hourglass=_hourglass(round_, play, game.settings.hourglass_s, now),
        trays={
            player: tray_state(record, number, player, files)
            for player in record.players
            if player in play.trays
        },
        missing=[
            player
            for player in record.players
            if player not in play.trays or not play.trays[player].legal
        ],
        frozen=record.is_frozen(number),
        locked=seal is not None,
        locked_at=None if seal is None else seal.at,
        seal=made_seal(record, number),
        standings=None if after is None else standings(after),
        handovers=[] if seal is None else [handover(one) for one in seal.handovers],
    )


def contradictions(cards: Iterable[Card]) -> list[tuple[str, str]]:
    """Pairs of cards of which one wants to touch what the other wants apart."""
    opposite = {Kind.TOUCH, Kind.APART}
    return [
        (str(first), str(second))
        for first, second in combinations(cards, 2)
        if {first.kind, second.kind} == opposite and sorted(first.colors) == sorted(second.colors)
    ]


def _hourglass(round_: GameRound, play: Play, seconds: int, now: float) -> Hourglass:
    started, ended = round_.started_at, round_.ended_at
    runs_out = None if started is None else started + seconds
    ends = runs_out if ended is None else ended
    return Hourglass(
        seconds=seconds,
        started_at=started,
        ends_at=ends,
        server_now=now,
        running=ends is not None and now < ends and not round_.closed,
        stopped=play.stopped,
    )


def standings(by_player: Mapping[str, GameStanding]) -> list[Standing]:
    """Points and bonus tokens by player."""
    return [
        Standing(player=player, points=one.points, bonus=one.bonus)
        for player, one in by_player.items()
    ]


def handover(one: Handover) -> HandoverState:
    """Tokens that change hands."""
    return HandoverState(
        player=one.player,
        amount=one.amount,
        take=_coins(one.take),
        give=_coins(one.give),
        short=one.short,
        debt=one.debt,
        bonus=one.bonus,
        bonus_short=one.bonus_short,
    )


def _coins(tokens: Tokens) -> list[CoinCount]:
    return [CoinCount(value=value, count=tokens[value]) for value in sorted(tokens, reverse=True)]


def ledger_head(record: Record) -> LedgerHead:
    """Where the history stands."""
    return LedgerHead(length=record.length, head=record.head, fingerprint=fingerprint(record.head))


def result(record: Record) -> Result | None:
    """How the game ended; None while it is played."""
    if not record.game.finished:
        return None
    scores = record.game.final()
    return Result(
        scores=[
            FinalScoreState(
                player=one.player,
                points=one.points,
                bonus_tokens=one.bonus_tokens,
                conversion=one.conversion,
                total=one.total,
                place=one.place,
            )
            for one in scores
        ],
        winners=list(winners(scores)),
        tie=_tie(scores),
        solo=None,
    )


def _tie(scores: tuple[FinalScore, ...]) -> Literal["none", "bonus_tokens", "shared"]:
    if len(winners(scores)) > 1:
        return "shared"
    best = [score for score in scores if score.total == scores[0].total]
    return "bonus_tokens" if len(best) > 1 else "none"
