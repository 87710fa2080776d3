"""A toy game, registered by tests only: three coins a round, those that show the called side count.

It proves the seam: tables, disputes, evidence and HTTP take a game that they have never heard of.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel

from api.evidence.html import count, text
from api.models.asked import Asked
from api.models.disputes import ConsentAsked, ConsentFrame, DisputeAsked, DisputeFrame
from api.models.submissions import SubmissionFrame
from api.models.tables import (
    GameOverFrame,
    LockedFrame,
    OpeningRequest,
    RoundFrame,
    SoloComparison,
    TableFrame,
    TableSettingsBase,
)
from api.tables.plain_game import PlainGame
from api.tables.record import Record
from api.tables.round_record import Sent
from api.tables.table_game import Json, Models, Names, SoloGame
from rules.errors import RulesError
from rules.playing import IllegalMove, already_set_up

ROUNDS = 2


@dataclass(frozen=True)
class SetUp:
    players: tuple[str, ...]
    seed: int


@dataclass(frozen=True)
class Round:
    side: str
    coins: Mapping[str, str] = field(default_factory=dict)
    closed: bool = False


@dataclass(frozen=True)
class Game:
    settings: SetUp
    rounds: tuple[Round, ...] = ()
    finished: bool = False

    @property
    def current(self) -> Round | None:
        return self.rounds[-1] if self.rounds and not self.rounds[-1].closed else None

    @property
    def rounds_left(self) -> int:
        return ROUNDS - sum(round_.closed for round_ in self.rounds)

    def points(self, player: str) -> int:
        return sum(one.coins[player].count(one.side) for one in self.rounds if one.closed)


class CoinRules:
    """The rules: an event is JSON, a state is a ``Game``."""

    id = "coins"

    def parse(self, line: str) -> str:
        if self.problems(line):
            raise RulesError("bad_coins", f"{line!r} is not three coins, as HHT is.")
        return line

    def problems(self, line: str) -> Sequence[Any]:
        return () if len(line) == 3 and set(line) <= {"H", "T"} else (line,)

    def after(self, game: Game | None, event: Json) -> Game:
        kind, rounds = event["type"], () if game is None else game.rounds
        if game is None:
            return Game(SetUp(tuple(event["players"]), event["seed"]))
        if kind == "revealed":
            if game.current or not game.rounds_left:
                raise IllegalMove("round_open", "Close the round first.")
            return replace(game, rounds=(*rounds, Round(event["side"])))
        if kind in ("submitted", "corrected"):
            at = len(rounds) if kind == "submitted" else event["round"]
            coins = {**rounds[at - 1].coins, event["player"]: self.parse(event["coins"])}
            changed = replace(rounds[at - 1], coins=coins)
            return replace(game, rounds=(*rounds[: at - 1], changed, *rounds[at:]))
        if kind == "closed":
            if set(rounds[-1].coins) != set(game.settings.players):
                raise IllegalMove("coins_missing", "Not everybody has tossed.")
            return replace(game, rounds=(*rounds[:-1], replace(rounds[-1], closed=True)))
        if kind == "ended":
            return replace(game, finished=True)
        raise already_set_up()


class Settings(TableSettingsBase):
    game: Literal["coins"] = "coins"


class Opening(Settings, OpeningRequest):
    pass


class Terms(Asked):
    side: Literal["H", "T"] | None = None


class Coins(Asked):
    coins: str


class Fix(Coins):
    reason: str = ""


class Doubt(DisputeAsked):
    coin: int


class Consent(Coins, ConsentAsked):
    pass


class Toss(SubmissionFrame):
    coins: str | None
    score: int


class CoinRound(RoundFrame):
    side: str
    submissions: dict[str, Toss]
    missing: list[str]


class Answer(BaseModel):
    version: int
    score: int
    submission: Toss


class Said(ConsentFrame):
    coins: str


class CoinDispute(DisputeFrame):
    coin: int
    coins_before: str
    coins_after: str | None
    consents: list[Said]


class Result(BaseModel):
    points: dict[str, int]
    solo: SoloComparison | None


class Table(TableFrame):
    settings: Settings
    rounds: list[CoinRound]
    points: dict[str, int]
    disputes: list[CoinDispute]
    result: Result | None


class Locked(LockedFrame):
    points: dict[str, int]


class Over(GameOverFrame):
    result: Result


class CoinTable(PlainGame):
    """The game at a table."""

    id = "coins"
    names = Names(position="coins", terms="side")
    models = Models(
        settings=Settings,
        opening=Opening,
        terms=Terms,
        by_hand=Coins,
        correction=Fix,
        dispute_request=Doubt,
        consent=Consent,
        table=Table,
        round=CoinRound,
        submission=Answer,
        corrected=Answer,
        locked=Locked,
        over=Over,
        dispute=CoinDispute,
    )
    rounds = ROUNDS

    def set_up(self, asked: Opening, seed: int, now: float) -> Json:
        return {"type": "set_up", "players": list(asked.players), "seed": seed, "at": now}

    def reveal(self, state: Game, terms: str | None, now: float) -> Json:
        drawn = "HT"[(state.settings.seed + len(state.rounds)) % 2]
        return {"type": "revealed", "side": terms or drawn, "at": now}

    def submitted(self, player: str, position: str, at: float) -> Json:
        return {"type": "submitted", "player": player, "coins": position, "at": at}

    def corrected(self, number: int, player: str, position: str, reason: str, at: float) -> Json:
        told = self.submitted(player, position, at)
        return {**told, "type": "corrected", "round": number, "reason": reason}

    def closed(self, at: float) -> Json:
        return {"type": "closed", "at": at}

    def ended(self, at: float) -> Json:
        return {"type": "ended", "at": at}

    def changed(self, _position: str, correction: Fix) -> str:
        return correction.coins

    def worth(self, state: Game, number: int, _player: str, position: str) -> tuple[int, ...]:
        return (position.count(state.rounds[number - 1].side),)

    def about(self, _state: Game, _number: int, asked: Json) -> Json:
        if asked["coin"] not in (1, 2, 3):
            raise RulesError("bad_coin", "There are coins 1 to 3.")
        return {"coin": asked["coin"]}

    def locked_score(self, state: Game, number: int, player: str) -> Json:
        coins = state.rounds[number - 1].coins[player]
        return {"coins": coins, "points": self.worth(state, number, player, coins)[0]}

    def standings(self, state: Game) -> Json:
        return {player: state.points(player) for player in state.settings.players}

    def settings_shown(self, _record: Record) -> Json:
        return {}

    def round_shown(self, record: Record, number: int, _now: float) -> Json:
        return {"side": record.state.rounds[number - 1].side}

    def submission_shown(self, record: Record, number: int, player: str, sent: Sent) -> Json:
        game: Any = record.state
        return {"late": False, "score": self.worth(game, number, player, sent.position)[0]}

    def standing_shown(self, record: Record) -> Json:
        game: Any = record.state
        return {"points": self.standings(game)}

    def result_shown(self, state: Game) -> Json:
        return {"points": self.standings(state)}

    def solo_game(self, state: Game) -> SoloGame:
        return SoloGame(0.0, "coins", state.points(state.settings.players[0]))


class CoinEvidence:
    """The game on the page of a bundle."""

    terms_title = "Side"

    def how(self, _state: Game) -> str:
        return "three coins a round"

    def standings(self, state: Game) -> tuple[Sequence[object], Sequence[Sequence[object]]]:
        names = state.settings.players
        return ["Player", "Points"], [[name, state.points(name)] for name in names]

    def terms(self, state: Game, number: int) -> Sequence[tuple[str, str]]:
        side = state.rounds[number - 1].side
        return [({"H": "Heads", "T": "Tails"}[side], side)]

    def score(self, state: Game, number: int, _player: str, position: str) -> str:
        points = position.count(state.rounds[number - 1].side)
        return f"<p><code>{text(position)}</code>: {count(points, 'point')}.</p>"

    def about(self, about: Mapping[str, Any]) -> str:
        return f"coin {about['coin']}"


TABLE, EVIDENCE = CoinTable(), CoinEvidence()
