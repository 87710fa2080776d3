"""Dimension at a table (see ``api.tables.table_game``)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from api.games.dimension import view
from api.games.dimension.disputed_part import box_around
from api.games.dimension.doubts import doubt
from api.games.dimension.models import disputes, tables, trays
from api.games.dimension.what_decides import what_it_hangs_on
from api.problems import Problem
from api.tables.dispute_record import DisputeRecord
from api.tables.draft import Draft
from api.tables.record import Record
from api.tables.round_record import Sent
from api.tables.table_game import Json, Models, Names, SoloGame, TableGame
from api.workers.crop import Box
from rules.dimension.board import SEATS
from rules.dimension.cards import Card
from rules.dimension.editions import ROUNDS
from rules.dimension.game import (
    Finished,
    Game,
    HourglassEnded,
    Revealed,
    RoundClosed,
    SetUp,
    TrayCorrected,
    TraySubmitted,
    draw,
    enter,
    event_from_json,
    event_to_json,
)
from rules.dimension.game import solo as alone
from rules.dimension.judge import Verdict
from rules.dimension.layout import Layout, LayoutError
from rules.dimension.scoring import score_round
from rules.errors import RulesError
from vision.dimension.reading import Reading, ReadingError


class DimensionTable:
    """Dimension at a table: everybody builds a layout that meets the cards."""

    id = "dimension"
    names = Names(
        position="layout",
        terms="cards",
        submission="tray",
        submissions="trays",
        submitted="tray_submitted",
        corrected="tray_corrected",
        revealed="cards_revealed",
    )
    models = Models(
        settings=tables.TableSettings,
        opening=tables.TableRequest,
        terms=tables.RoundRequest,
        by_hand=tables.TrayByHand,
        correction=tables.Correction,
        dispute_request=disputes.DisputeRequest,
        consent=disputes.ConsentRequest,
        table=tables.TableState,
        round=tables.RoundState,
        submission=trays.Submission,
        corrected=trays.Corrected,
        locked=tables.Locked,
        over=tables.GameOver,
        dispute=disputes.Dispute,
        profile_set=trays.TraySet,
    )
    rounds = ROUNDS
    profile_kind: str | None = "tray"
    wrong_in_itself = frozenset(
        {"bad_variant", "bad_hourglass", "bad_deck", "bad_count", "not_in_deck"}
    )
    own_kinds = frozenset({"hourglass_started", "hourglass_stopped", "hourglass_ran_out"})

    def set_up(self, asked: tables.TableRequest, seed: int, now: float) -> Json:
        """The event that opens a table as it was asked for."""
        return event_to_json(
            SetUp(
                players=asked.players,
                edition=asked.edition,
                cards_per_round=asked.cards_per_round,
                without=tuple(asked.without),
                put_back=asked.put_back,
                rulings=asked.rulings.rulings(),
                hourglass_s=asked.hourglass_s,
                seed=seed,
                deck=asked.deck,
                at=now,
            )
        )

    def reveal(self, state: Game, terms: Sequence[str] | None, now: float) -> Json:
        """The event that reveals these cards, or the next of the stack."""
        if terms is not None:
            return event_to_json(enter(terms, now))
        if state.finished or state.current or not state.rounds_left:
            return event_to_json(enter((), now))  # the rules say what is wrong
        return event_to_json(draw(state, now))

    def told_draw(self, state: Game, event: Json, now: float) -> Json:
        """The event of a draw as a history tells it, where nobody knows the seed."""
        told = event_from_json(event)
        if not isinstance(told, Revealed):
            raise RulesError("bad_event", "it reveals no cards")
        if told.put_back and not state.settings.put_back:
            raise RulesError("bad_event", "this table puts no cards back")
        return event_to_json(replace(told, at=now))

    def submitted(self, player: str, position: str, at: float) -> Json:
        """The event of a tray sent in."""
        return event_to_json(TraySubmitted(player, position, at))

    def corrected(self, number: int, player: str, position: str, reason: str, at: float) -> Json:
        """The event of a tray put right."""
        return event_to_json(TrayCorrected(number, player, position, reason, at))

    def closed(self, at: float) -> Json:
        """The event that ends a round."""
        return event_to_json(RoundClosed(at))

    def ended(self, at: float) -> Json:
        """The event that turns bonus tokens into points."""
        return event_to_json(Finished(at))

    def due(self, state: Game, now: float) -> list[Draft]:
        """The hourglass ran out, if it did since the last entry: an event at its own time."""
        round_ = state.current
        if round_ is None or round_.started_at is None or round_.ended_at is not None:
            return []
        ends_at = round_.started_at + state.settings.hourglass_s
        if now < ends_at:
            return []
        event = event_to_json(HourglassEnded(ends_at))
        return [Draft("hourglass_ran_out", {"event": event, "round": round_.number})]

    def legal(self, position: str) -> str:
        """The layout as it is written; raises ``LayoutError`` if no tray can hold it."""
        layout = Layout.parse(position)
        if layout.problems():
            raise LayoutError(layout.problems())
        return str(layout)

    def same(self, one: str, other: str) -> bool:
        """Whether two layouts differ by the tray's turn only."""
        return Layout.parse(one).same_as(Layout.parse(other))

    def changed(self, position: str, correction: tables.Correction) -> str:
        """The layout with these seats put right."""
        layout = Layout.parse(position)
        for seat, color in correction.seats.items():
            layout = layout.with_seat(seat, None if color == "." else color)
        return str(layout)

    def worth(self, state: Game, number: int, player: str, position: str) -> tuple[int, ...]:
        """Points and bonus tokens of a layout, the others' trays being as they are."""
        layout, round_ = Layout.parse(position), state.rounds[number - 1]
        others = [len(tray.layout) for name, tray in round_.trays.items() if name != player]
        most = max([len(layout), *others]) if others else None
        score = score_round(layout, round_.cards, state.edition, state.settings.rulings, most)
        return score.points, score.bonus

    def parse_reading(self, reading: Json) -> Reading:
        """The reading in its JSON; raises ``RulesError`` if it is none."""
        try:
            return Reading.from_json(dict(reading))
        except ReadingError as error:
            raise RulesError("bad_reading", f"its reading cannot be: {error}") from error

    def possibilities(self, reading: Json) -> Mapping[str, float]:
        """The layouts that a reading holds possible and a tray can hold."""
        chances = self.parse_reading(reading).possibilities
        return {str(layout): p for layout, p in chances.items() if not layout.problems()}

    def doubt(self, state: Game, number: int, reading: Reading) -> Json | None:
        """What a reading is worth under doubt; None where no tray can be as it was read."""
        if reading.layout is None or reading.layout.problems():
            return None
        cards = state.rounds[number - 1].cards
        return doubt(reading, cards, state.edition, state.settings.rulings).to_json()

    def about(self, state: Game, number: int, asked: Json) -> Json:
        """A card as it lies on the table, or a seat."""
        card, seat = asked.get("card"), asked.get("seat")
        if (card is None) == (seat is None) or seat not in (None, *SEATS):
            raise RulesError("bad_dispute", "a dispute is about one card or one seat")
        return {"card": None if card is None else _revealed(state, number, card), "seat": seat}

    def hangs_on(self, state: Game, dispute: Json, reading: Json | None) -> Json:
        """``doubt``, ``hangs_on`` and ``advice`` for a dispute about a card or a seat."""
        read = None if reading is None else self.parse_reading(reading)
        return what_it_hangs_on(state, {**dispute, **dispute["about"]}, read)

    def marked(self, state: Game, dispute: DisputeRecord) -> Verdict | None:
        """The verdict that is disputed."""
        return view.disputed_verdict(state, dispute)

    def disputed_box(self, reading: Json, dispute: DisputeRecord) -> Box | None:
        """The seats that a dispute hangs on, or the whole tray."""
        read, seat = self.parse_reading(reading), dispute.about["seat"]
        seats = [seat] if seat else list(dispute.hangs_on)
        return box_around(read, seats) or box_around(read, list(read.seats))

    def locked_score(self, state: Game, number: int, player: str) -> Json:
        """The layout that counts, its points and bonus tokens."""
        score = state.score(number, player)
        layout = str(state.rounds[number - 1].trays[player].layout)
        return {"layout": layout, "points": score.points, "bonus": score.bonus}

    def standings(self, state: Game) -> Json:
        """Everybody's points and bonus tokens."""
        return {player: asdict(standing) for player, standing in state.standings.items()}

    def settings_shown(self, record: Record) -> Json:
        """How the table plays."""
        return view.settings(_state(record).settings)

    def table_shown(self, _record: Record) -> Json:
        """Nothing more than all games show."""
        return {}

    def round_shown(self, record: Record, number: int, now: float) -> Json:
        """Cards, hourglass, and what the round led to."""
        return view.round_parts(_state(record), record.plays[number - 1], number, now)

    def submission_shown(self, record: Record, number: int, player: str, sent: Sent) -> Json:
        """What is wrong with the layout, what it scores, and whether it came in time."""
        return view.tray_parts(_state(record), number, player, sent)

    def dispute_shown(self, record: Record, dispute: DisputeRecord) -> Json:
        """The verdict that is disputed."""
        verdict = view.disputed_verdict(_state(record), dispute)
        return {"verdict": None if verdict is None else verdict.to_json()}

    def standing_shown(self, record: Record) -> Json:
        """Everybody's points, and tokens that change hands."""
        return view.standing_parts(_state(record))

    def result_shown(self, state: Game) -> Json:
        """Final scores, and who won."""
        return view.result(state)

    def solo_game(self, state: Game) -> SoloGame:
        """What is kept of a finished game of one player."""
        ended = alone.solo_game(state)
        return SoloGame(ended.at, ended.way, ended.total)

    def compared(self, own: SoloGame, others: Sequence[SoloGame]) -> Json:
        """A solo game among all that were played the same way."""
        mine, *rest = [alone.SoloGame(one.at, one.way, one.total) for one in (own, *others)]
        return asdict(alone.compare(mine, rest))


def _state(record: Record) -> Game:
    state: Any = record.state
    assert isinstance(state, Game)
    return state


def _revealed(state: Game, number: int, code: str) -> str:
    """The code of a card as it lies on the table."""
    wanted = Card.parse(code).key
    for card in state.rounds[number - 1].cards:
        if card.key == wanted:
            return str(card)
    raise Problem(422, "not_revealed", f"{code} does not lie on the table in round {number}.")


TABLE: TableGame = DimensionTable()
