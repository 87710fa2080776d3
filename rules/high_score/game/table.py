"""Playing: each event takes a table from one state to the next, or is refused with a reason."""

from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatch
from types import MappingProxyType

from rules.high_score.board import MOST_PLAYERS
from rules.high_score.challenges import ROUNDS, Challenge, Deck, standard_deck
from rules.high_score.dice import Dice
from rules.high_score.game.events import (
    DiceCorrected,
    DiceSubmitted,
    Event,
    Finished,
    Revealed,
    Rolled,
    RoundClosed,
    SetUp,
)
from rules.high_score.game.state import Game, Round, Turn
from rules.high_score.game.turns import refuse_other_dice, refuse_other_roll
from rules.high_score.moments import Moment
from rules.playing import (
    IllegalMove,
    already_set_up,
    fold,
    not_set_up,
    refuse_bad_players,
    refuse_stranger,
    with_round,
)


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
    """The event of turning over the next challenge of the pile."""
    played = {round_.challenge for round_ in game.rounds}
    card = next((card for card in game.pile if card not in played), None)
    if card is None:  # only after a whole game of a deck of seven
        raise IllegalMove("no_more_rounds", "All challenges of the deck have been played.")
    return Revealed(str(card), at)


def enter(challenge: str, at: float = 0.0) -> Revealed:
    """The event of entering the challenge that lies on the real table."""
    return Revealed(challenge, at)


def _set_up(event: SetUp) -> Game:
    names = event.players
    refuse_bad_players(names, 1, MOST_PLAYERS)
    if event.starter is not None and event.starter not in names:
        raise IllegalMove(
            "unknown_player", f"{event.starter!r} cannot start: they are not at this table."
        )
    deck = standard_deck() if event.deck is None else Deck.of(event.deck)
    return Game(event, deck.shuffled(event.seed))


@singledispatch
def _happen(_event: Event, _game: Game) -> Game:
    raise already_set_up()


@_happen.register
def _(event: Revealed, game: Game) -> Game:
    """Any challenge may be entered: nobody but the table knows the cards in its box."""
    if game.finished or len(game.rounds) == ROUNDS:
        raise IllegalMove("no_more_rounds", f"A game has {ROUNDS} rounds; all have been played.")
    if game.current:
        raise IllegalMove("round_open", f"Round {game.current.number} is not closed yet.")
    challenge = Challenge.parse(event.challenge)
    for round_ in game.rounds:
        if round_.challenge == challenge:
            text = f"{challenge} was the challenge of round {round_.number} already."
            raise IllegalMove("already_played", text)
    order = game.order_from(game.next_starter)
    round_ = Round(len(game.rounds) + 1, challenge, order)
    return replace(game, rounds=(*game.rounds, round_))


@_happen.register
def _(event: Rolled, game: Game) -> Game:
    round_ = _open_round(game)
    refuse_stranger(game.settings.players, event.player)
    turn = round_.turn(event.player)
    if turn.dice is not None:
        text = f"{event.player}'s turn is over: the dice are in."
        raise IllegalMove("turn_over", text)
    _refuse_out_of_turn(round_, event.player)
    if event.roll < 1:
        raise IllegalMove("bad_roll", "The first roll has the number 1.")
    if not event.dice:
        raise IllegalMove("bad_dice", "A roll has at least one die on the table.")
    moment = Moment.parse(round_.challenge, event.roll, event.dice, event.aside)
    last = max((roll.roll for roll in turn.rolls), default=0)
    if event.roll < last:
        text = f"Roll {last} has been told already; only that one can be told again."
        raise IllegalMove("bad_roll", text)
    earlier = tuple(roll for roll in turn.rolls if roll.roll < event.roll)
    if earlier:
        refuse_other_roll(earlier[-1], moment)
    rolls = (*earlier, moment)
    return _with_turn(game, round_, event.player, replace(turn, rolls=rolls, at=event.at))


@_happen.register
def _(event: DiceSubmitted, game: Game) -> Game:
    round_ = _open_round(game)
    refuse_stranger(game.settings.players, event.player)
    turn = round_.turn(event.player)
    if turn.dice is None:
        _refuse_out_of_turn(round_, event.player)
    dice = Dice.parse(event.dice)
    if turn.rolls:
        refuse_other_dice(turn.rolls[-1], dice)
    return _with_turn(game, round_, event.player, replace(turn, dice=dice, at=event.at))


@_happen.register
def _(event: DiceCorrected, game: Game) -> Game:
    """The rolls told on the way do not bind a correction: they may be what was read wrongly.

    Places, chips and standings follow the new dice. Who began the rounds since then stays as it
    was played.
    """
    refuse_stranger(game.settings.players, event.player)
    if not 1 <= event.round <= len(game.rounds):
        raise IllegalMove("no_round", f"There is no round {event.round} to correct.")
    round_ = game.rounds[event.round - 1]
    turn = round_.turn(event.player)
    if turn.dice is None:
        text = f"{event.player} has sent in no dice in round {event.round}."
        raise IllegalMove("no_dice", text)
    corrected = replace(
        turn,
        dice=Dice.parse(event.dice),
        corrections=(*turn.corrections, (turn.dice, event.reason)),
    )
    return _with_turn(game, round_, event.player, corrected)


@_happen.register
def _(_event: RoundClosed, game: Game) -> Game:
    round_ = _open_round(game)
    missing = [player for player in round_.order if player not in round_.done]
    if missing:
        raise IllegalMove("dice_missing", f"These dice are still missing: {', '.join(missing)}.")
    return _with_round(game, replace(round_, closed=True))


@_happen.register
def _(event: Finished, game: Game) -> Game:
    if game.finished:
        raise IllegalMove("finished", "The game is over already.")
    if game.rounds_left:
        raise IllegalMove("rounds_missing", f"{game.rounds_left} rounds are still to be played.")
    return replace(game, finished_at=event.at)


def _open_round(game: Game) -> Round:
    if game.current is None:
        raise IllegalMove("no_round", "No round is open: turn over a challenge first.")
    return game.current


def _refuse_out_of_turn(round_: Round, player: str) -> None:
    if round_.whose_turn != player:
        raise IllegalMove("not_your_turn", f"It is {round_.whose_turn}'s turn, not {player}'s.")


def _with_turn(game: Game, round_: Round, player: str, turn: Turn) -> Game:
    turns = MappingProxyType({**round_.turns, player: turn})
    return _with_round(game, replace(round_, turns=turns))


def _with_round(game: Game, round_: Round) -> Game:
    return replace(game, rounds=with_round(game.rounds, round_))
