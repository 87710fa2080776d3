"""Playing: each event takes a table from one state to the next, or is refused with a reason."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce, singledispatch
from types import MappingProxyType

from rules.dimension.cards import Card, Deck, refuse_duplicates, standard_deck
from rules.dimension.editions import MOST_PLAYERS, ROUNDS, START_TOKENS, edition
from rules.dimension.game.events import (
    Event,
    Finished,
    HourglassEnded,
    HourglassStarted,
    Revealed,
    RoundClosed,
    SetUp,
    TrayCorrected,
    TraySubmitted,
)
from rules.dimension.game.stack import Stack, contradiction, draw_cards
from rules.dimension.game.state import Game, Round, Tray
from rules.dimension.game.tokens import Handover, exchange, moved, worth
from rules.dimension.layout import Layout, LayoutError
from rules.playing import (
    IllegalMove,
    already_set_up,
    fold,
    not_set_up,
    refuse_bad_players,
    refuse_stranger,
    with_round,
)

CARDS_PER_ROUND = (6, 8)


def replay(events: Iterable[Event]) -> Game:
    """The state that the events lead to; the first must set the table up."""
    return fold(apply, events)


def apply(game: Game | None, event: Event) -> Game:
    """The state after an event; raises ``IllegalMove`` if it cannot happen now."""
    if game is None:
        if not isinstance(event, SetUp):
            raise not_set_up()
        return _set_up(event)
    return _happen(event, game)


def draw(game: Game, at: float = 0.0) -> Revealed:
    """The event of revealing the next cards of the stack, contradictions put back if agreed."""
    settings, stack = game.settings, _stack_for_next_round(game)
    contradicts = contradiction(settings.rulings) if settings.put_back else None
    cards, put_back = draw_cards(stack, settings.cards_per_round, contradicts)
    return Revealed(tuple(map(str, cards)), tuple(map(str, put_back)), at)


def enter(cards: Sequence[str], at: float = 0.0) -> Revealed:
    """The event of entering the cards that lie on the real table."""
    return Revealed(tuple(cards), (), at)


def _set_up(event: SetUp) -> Game:
    names = event.players
    refuse_bad_players(names, 1, MOST_PLAYERS)
    if event.cards_per_round not in CARDS_PER_ROUND:
        raise IllegalMove("bad_variant", "A round has six or eight cards.")
    if event.hourglass_s <= 0:
        raise IllegalMove("bad_hourglass", "The hourglass runs for at least a second.")
    deck = standard_deck() if event.deck is None else _own_deck(event.deck)
    stack = Stack.shuffled(deck, event.without, event.seed)
    if len(stack.cards) < event.cards_per_round:
        raise IllegalMove("bad_deck", "The deck has too few cards for a round.")
    box = edition(event.edition)
    start = {player: dict(START_TOKENS) for player in names}
    supply = reduce(lambda left, purse: moved(left, purse, -1), start.values(), box.point_tokens)
    return Game(event, stack, purses=start, bonus_paid=dict.fromkeys(names, 0), supply=supply)


def _own_deck(codes: Sequence[str]) -> Deck:
    cards = tuple(map(Card.parse, codes))
    refuse_duplicates(cards)
    return Deck(cards)


def _stack_for_next_round(game: Game) -> Stack:
    number = len(game.rounds) + 1
    return game.stack.filled_up(game.settings.cards_per_round, f"{game.settings.seed}:{number}")


@singledispatch
def _happen(_event: Event, _game: Game) -> Game:
    raise already_set_up()


@_happen.register
def _(event: Revealed, game: Game) -> Game:
    if game.finished or len(game.rounds) == ROUNDS:
        raise IllegalMove("no_more_rounds", f"A game has {ROUNDS} rounds; all have been played.")
    if game.current:
        raise IllegalMove("round_open", f"Round {game.current.number} is not closed yet.")
    cards = tuple(map(Card.parse, event.cards))
    put_back = tuple(map(Card.parse, event.put_back))
    wanted = game.settings.cards_per_round
    if len(cards) != wanted:
        raise IllegalMove("bad_count", f"This table reveals {wanted} cards, not {len(cards)}.")
    refuse_duplicates((*cards, *put_back))
    stack = _stack_for_next_round(game)
    _refuse_absent(game, stack, (*cards, *put_back))
    round_ = Round(len(game.rounds) + 1, cards)
    return replace(game, stack=stack.taken(cards, put_back), rounds=(*game.rounds, round_))


def _refuse_absent(game: Game, stack: Stack, cards: Sequence[Card]) -> None:
    there = {card.key for card in stack.cards}
    played = {card.key: round_.number for round_ in game.rounds for card in round_.cards}
    for card in cards:
        if card.key in there:
            continue
        if card.key in played:
            text = f"{card} lay on the table in round {played[card.key]} and is set aside."
            raise IllegalMove("already_played", text)
        raise IllegalMove("not_in_deck", f"{card} is not in the deck this table plays with.")


@_happen.register
def _(event: HourglassStarted, game: Game) -> Game:
    round_ = _open_round(game)
    if round_.started_at is not None:
        raise IllegalMove("hourglass_ran", "The hourglass was turned in this round already.")
    return _with_round(game, replace(round_, started_at=event.at))


@_happen.register
def _(event: HourglassEnded, game: Game) -> Game:
    round_ = _open_round(game)
    if round_.started_at is None or round_.ended_at is not None:
        raise IllegalMove("hourglass_not_running", "The hourglass is not running.")
    return _with_round(game, replace(round_, ended_at=event.at))


@_happen.register
def _(event: TraySubmitted, game: Game) -> Game:
    round_ = _open_round(game)
    refuse_stranger(game.settings.players, event.player)
    late = round_.is_late(event.at, game.settings.hourglass_s)
    tray = Tray(_legal(event.layout), event.at, late)
    return _with_round(game, replace(round_, trays=_with_tray(round_, event.player, tray)))


@_happen.register
def _(event: TrayCorrected, game: Game) -> Game:
    refuse_stranger(game.settings.players, event.player)
    if not 1 <= event.round <= len(game.rounds):
        raise IllegalMove("no_round", f"There is no round {event.round} to correct.")
    round_ = game.rounds[event.round - 1]
    tray = round_.trays.get(event.player)
    if tray is None:
        text = f"{event.player} has sent in no tray in round {event.round}."
        raise IllegalMove("no_tray", text)
    corrected = replace(
        tray,
        layout=_legal(event.layout),
        corrections=(*tray.corrections, (tray.layout, event.reason)),
    )
    trays = _with_tray(round_, event.player, corrected)
    return _settle(_with_round(game, replace(round_, trays=trays)))


@_happen.register
def _(_event: RoundClosed, game: Game) -> Game:
    round_ = _open_round(game)
    missing = [player for player in game.settings.players if player not in round_.trays]
    if missing:
        raise IllegalMove("trays_missing", f"These trays are still missing: {', '.join(missing)}.")
    closed = _with_round(game, replace(round_, closed=True))
    return _settle(replace(closed, stack=closed.stack.set_aside(round_.cards)))


@_happen.register
def _(event: Finished, game: Game) -> Game:
    if game.finished:
        raise IllegalMove("finished", "The game is over already.")
    if game.rounds_left:
        raise IllegalMove("rounds_missing", f"{game.rounds_left} rounds are still to be played.")
    return _settle(replace(game, finished_at=event.at))


def _open_round(game: Game) -> Round:
    if game.current is None:
        raise IllegalMove("no_round", "No round is open: reveal cards first.")
    return game.current


def _legal(text: str) -> Layout:
    layout = Layout.parse(text)
    if layout.problems():
        raise LayoutError(layout.problems())
    return layout


def _with_tray(round_: Round, player: str, tray: Tray) -> Mapping[str, Tray]:
    return MappingProxyType({**round_.trays, player: tray})


def _with_round(game: Game, round_: Round) -> Game:
    return replace(game, rounds=with_round(game.rounds, round_))


def _settle(game: Game) -> Game:
    """The game once everybody holds what they should, as far as tokens go; payers first."""
    due = {
        player: max(game.owed(player), 0) - worth(purse) for player, purse in game.purses.items()
    }
    bonus_due = {p: game.standings[p].bonus - paid for p, paid in game.bonus_paid.items()}
    game = replace(game, handovers=())
    for player in sorted(due, key=lambda player: due[player]):
        if due[player] or bonus_due[player] or game.owed(player) < 0:
            game = _hand_over(game, player, due[player], bonus_due[player])
    return game


def _hand_over(game: Game, player: str, amount: int, bonus: int) -> Game:
    change, short = exchange(game.purses[player], game.supply, amount)
    bonus_left = game.edition.bonus_tokens - sum(game.bonus_paid.values())
    bonus_moved = min(bonus, bonus_left)
    handover = Handover(
        player=player,
        take={value: count for value, count in change.items() if count > 0},
        give={value: -count for value, count in change.items() if count < 0},
        short=short if amount > 0 else 0,
        debt=max(-game.owed(player), 0) + (short if amount < 0 else 0),
        bonus=bonus_moved,
        bonus_short=bonus - bonus_moved,
    )
    return replace(
        game,
        purses={**game.purses, player: moved(game.purses[player], change)},
        supply=moved(game.supply, change, -1),
        bonus_paid={**game.bonus_paid, player: game.bonus_paid[player] + bonus_moved},
        handovers=(*game.handovers, handover),
    )
