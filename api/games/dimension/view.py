"""What a table of Dimension shows beside what all games do."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Literal

from api.games.dimension.models.tables import (
    FinalScoreState,
    HandoverState,
    Hourglass,
    Standing,
)
from api.games.dimension.models.trays import CoinCount
from api.tables.dispute_record import DisputeRecord
from api.tables.round_record import Play, Sent
from rules.dimension.cards import Card, Kind
from rules.dimension.game import Game, SetUp
from rules.dimension.game.state import Round as GameRound
from rules.dimension.game.state import Standing as GameStanding
from rules.dimension.game.tokens import Handover, Tokens
from rules.dimension.judge import Verdict
from rules.dimension.layout import Layout
from rules.dimension.scoring import FinalScore, RoundScore, winners

Parts = dict[str, Any]


def settings(agreed: SetUp) -> Parts:
    """How the table plays."""
    return {
        "edition": agreed.edition,
        "cards_per_round": agreed.cards_per_round,
        "without": agreed.without,
        "put_back": agreed.put_back,
        "rulings": agreed.rulings.to_json(),
        "hourglass_s": agreed.hourglass_s,
        "deck": agreed.deck,
    }


def round_parts(game: Game, play: Play, number: int, now: float) -> Parts:
    """The cards of a round, its hourglass, and what it led to."""
    round_, seal = game.rounds[number - 1], play.seal
    after = game.history[number] if round_.closed else None
    handovers = () if seal is None else seal.state.handovers
    return {
        "cards": [str(card) for card in round_.cards],
        "put_back": list(play.event["put_back"]),
        "contradictions": contradictions(round_.cards),
        "hourglass": _hourglass(round_, play, game.settings.hourglass_s, now),
        "standings": None if after is None else standings(after),
        "handovers": [handover(one) for one in handovers],
    }


def tray_parts(game: Game, number: int, player: str, sent: Sent) -> Parts:
    """What is wrong with a tray, whether it came in time, and what it scores."""
    layout = Layout.parse(sent.position)
    return {
        "problems": [one.to_json() for one in layout.problems()],
        "late": is_late(game, number, player, sent),
        "score": tray_score(game.score(number, player)) if sent.legal else None,
    }


def is_late(game: Game, number: int, player: str, sent: Sent) -> bool:
    """Whether the tray came after the hourglass."""
    round_ = game.rounds[number - 1]
    if sent.legal:
        return round_.trays[player].late
    return round_.is_late(sent.at, game.settings.hourglass_s)


def tray_score(score: RoundScore) -> Parts:
    """A score with its verdicts."""
    verdicts = [verdict.to_json() for verdict in score.verdicts]
    decisive = list(score.decisive_rulings)
    return {**score.to_json(), "verdicts": verdicts, "decisive_rulings": decisive}


def disputed_verdict(game: Game, dispute: DisputeRecord) -> Verdict | None:
    """The verdict that a dispute is about; None if it is about a seat."""
    card = dispute.about["card"]
    if card is None:
        return None
    score = game.score(dispute.round, dispute.player)
    return next(one for one in score.verdicts if str(one.card) == card)


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
        stopped="hourglass_stopped" in play.own_kinds,
    )


def standing_parts(game: Game) -> Parts:
    """Everybody's standing, and what is to be handed over now."""
    return {
        "standings": standings(game.standings),
        "handovers": [handover(one) for one in game.handovers],
    }


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


def result(game: Game) -> Parts:
    """How a finished game ended."""
    scores = game.final()
    return {
        "scores": [
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
        "winners": list(winners(scores)),
        "tie": _tie(scores),
    }


def _tie(scores: tuple[FinalScore, ...]) -> Literal["none", "bonus_tokens", "shared"]:
    if len(winners(scores)) > 1:
        return "shared"
    best = [score for score in scores if score.total == scores[0].total]
    return "bonus_tokens" if len(best) > 1 else "none"
