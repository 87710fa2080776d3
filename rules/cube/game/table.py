"""Playing: each event takes a table from one state to the next, or is refused with a reason."""

from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatch
from types import MappingProxyType

from rules.cube.building import COLORS, CORNERS, SIZE, Building, BuildingError, joined, problems
from rules.cube.cards import Card, Deck, standard_deck
from rules.cube.game.events import (
    BuildingTold,
    Claimed,
    Drawn,
    Event,
    Finished,
    Moved,
    Refilled,
    SetUp,
    TwinPlaced,
)
from rules.cube.game.hands import HAND, commitment
from rules.cube.game.places import cube_at, space_at
from rules.cube.game.state import GOALS, Claim, Game
from rules.cube.judge import judge
from rules.cube.moves import why_held
from rules.cube.reasons import HELD
from rules.playing import (
    IllegalMove,
    already_set_up,
    fold,
    not_set_up,
    refuse_bad_players,
    refuse_stranger,
)

RECORDS = ("acts", "claims")


def replay(events: Iterable[Event]) -> Game:
    """The state that the events lead to; the first must set the table up."""
    return fold(apply, events)


def apply(game: Game | None, event: Event) -> Game:
    """The state after an event; raises ``IllegalMove`` if it cannot happen now."""
    if game is None:
        if not isinstance(event, SetUp):
            raise not_set_up()
        return _set_up(event)
    if game.finished:
        raise IllegalMove("finished", "The game is over already.")
    return _happen(event, game)


def _set_up(event: SetUp) -> Game:
    names = event.players
    refuse_bad_players(names, min(GOALS), max(GOALS))
    if event.starter is not None and event.starter not in names:
        raise IllegalMove("unknown_player", f"{event.starter!r} cannot start: no such player.")
    if event.record not in RECORDS:
        raise IllegalMove("bad_record", f"A table records one of {', '.join(RECORDS)}.")
    letters = event.colors
    if len(letters) != 4 or len(set(letters)) != 4 or not (letters.isalpha() and letters.isupper()):
        raise IllegalMove("bad_colors", f"Colours are four capital letters, like {COLORS}.")
    corners = event.corners or letters
    if sorted(corners) != sorted(letters):
        raise IllegalMove("bad_corners", "One cube of each colour stands on the corners.")
    if not 1 <= event.supply <= SIZE**3:
        raise IllegalMove("bad_supply", "There are 1 to 64 cubes of a colour.")
    building = Building.of({(*s, 0): c for s, c in zip(CORNERS, corners, strict=True)})
    if event.deck is None:
        if letters != COLORS and event.pile is not None:
            raise IllegalMove("bad_deck", f"Our deck has the colours {COLORS}: name your own.")
        cards = standard_deck().cards
    else:
        cards = Deck.of(event.deck, letters).cards
    if event.pile is not None and len(event.pile) != len(cards):
        raise IllegalMove("bad_pile", f"A pile of {len(cards)} cards has as many commitments.")
    return _with_hands(Game(event, cards, building, pile=event.pile or ()))


@singledispatch
def _happen(_event: Event, _game: Game) -> Game:
    raise already_set_up()


@_happen.register
def _(event: Drawn, game: Game) -> Game:
    game = _turn_of(game, event.player)
    space = space_at(event.to)
    if not game.bag.get(event.color):
        raise IllegalMove("bad_color", f"No cube {event.color!r} is left in the bag.")
    _refuse_full(game.building, space)
    placed = game.building.placed(space, event.color)
    taboo = (*space, game.building.height(space))
    return replace(
        game,
        building=placed,
        turns=game.turns + 1,
        last_moved=taboo if game.settings.rulings.taboo == "placed" else None,
    )


@_happen.register
def _(event: Moved, game: Game) -> Game:
    game = _turn_of(game, event.player)
    building, cube, space = game.building, cube_at(event.cube), space_at(event.to)
    if cube not in building:
        raise IllegalMove("no_cube", f"No cube stands on {event.cube}.")
    held = why_held(
        building, cube, game.last_moved, game.round == 1, game.settings.rulings.rows == "closed"
    )
    if held:
        raise IllegalMove(held, f"The cube on {event.cube} stays: {HELD[held]['en']}")
    if cube[:2] == space:
        raise IllegalMove("same_space", "A moved cube ends on another space.")
    _refuse_full(building, space)
    moved = building.lifted((cube[0], cube[1])).placed(space, building[cube])
    return replace(
        game,
        building=moved,
        turns=game.turns + 1,
        last_moved=(*space, building.height(space)),
    )


@_happen.register
def _(event: TwinPlaced, game: Game) -> Game:
    game = _turn_of(game, event.player)
    if event.color not in set(game.settings.colors):
        raise IllegalMove("bad_color", f"There is no twin {event.color!r}.")
    if event.player in game.twins:
        raise IllegalMove("twin_placed", f"{event.player} has placed the twin already.")
    if event.color in game.twins.values():
        raise IllegalMove("twin_placed", f"The twin {event.color} stands there already.")
    if not game.cards_of(event.player):
        raise IllegalMove("no_card_yet", "A twin may be placed after the first fulfilled card.")
    return replace(
        game,
        building=_with_twin(game.building, event),
        turns=game.turns + 1,
        last_moved=None,
        twins=MappingProxyType({**game.twins, event.player: event.color}),
    )


def _with_twin(building: Building, event: TwinPlaced) -> Building:
    half, space = event.color.lower(), space_at(event.to)
    if event.other is None:
        if building.height(space) > SIZE - 2:
            raise IllegalMove("too_high", "An upright twin needs room for two.")
        return building.placed(space, half).placed(space, half)
    other = space_at(event.other)
    _refuse_full(building, space)
    if not joined((*space, 0), (*other, 0)) or building.height(space) != building.height(other):
        raise IllegalMove("bad_twin", "A flat twin lies on neighbouring spaces of one height.")
    return building.placed(space, half).placed(other, half)


@_happen.register
def _(event: BuildingTold, game: Game) -> Game:
    """The physical game is the truth: what stands there replaces what the acts led to."""
    wrong = problems(event.board, game.settings.colors, game.supply)
    if wrong:
        raise BuildingError(wrong)
    told = Building.parse(event.board, game.settings.colors)
    last = game.last_moved if game.last_moved in told else None
    return replace(game, building=told, last_moved=last)


@_happen.register
def _(event: Claimed, game: Game) -> Game:
    refuse_stranger(game.settings.players, event.player)
    if game.tie_winner:
        raise IllegalMove("tie_broken", f"{game.tie_winner} has broken the tie.")
    if game.settings.record == "acts":
        _refuse_early_or_late(game, event.player)
    card = Card.parse(event.card, game.settings.colors)
    _refuse_unfulfilled(game, card, event.agreed)
    game = _from_hand(game, event)
    if game.tied:
        return replace(game, tie_winner=event.player)
    shown = replace(game, claims=(*game.claims, Claim(event.player, card, game.turns)))
    return _with_hands(shown)


def _refuse_early_or_late(game: Game, player: str) -> None:
    """Claims come after a turn: from the one who acted, then clockwise."""
    if not game.turns:
        raise IllegalMove("too_early", "Cards are shown after a turn.")
    if game.tied and player not in game.tied:
        raise IllegalMove("not_tied", f"{player} has no part in the tie.")
    seats = game.order
    first = seats.index(game.last_to_act)
    clockwise = [*seats[first:], *seats[:first]]
    before = [c.player for c in game.claims if c.turn == game.turns]
    if before and clockwise.index(player) < clockwise.index(before[-1]):
        raise IllegalMove("too_late", f"After {before[-1]}, {player} shows cards next turn.")


def _refuse_unfulfilled(game: Game, card: Card, agreed: bool) -> None:
    (verdict,) = judge(game.building, [card], game.settings.colors, game.supply)
    if verdict.fulfilled is False:
        raise IllegalMove("not_fulfilled", f"{card} is not fulfilled: {verdict.reason['en']}")
    if verdict.fulfilled is None and not agreed:
        raise IllegalMove("open_verdict", f"{card} is undecided: {verdict.reason['en']}")


def _from_hand(game: Game, event: Claimed) -> Game:
    """The game after a card left its player's hand, where hands are dealt."""
    if not game.pile:
        return game
    hand = game.hands[event.player]
    shown = commitment(event.card, event.salt or "")
    place = next((place for place in hand if game.pile[place] == shown), None)
    if place is None:
        raise IllegalMove("not_in_hand", f"{event.player} was not dealt {event.card}.")
    left = tuple(other for other in hand if other != place)
    return replace(game, hands=MappingProxyType({**game.hands, event.player: left}))


def _with_hands(game: Game) -> Game:
    """The game once hands are filled up from the dealt pile."""
    hands, dealt = dict(game.hands), game.dealt
    for player in game.order if game.pile else ():
        short = HAND - len(hands.get(player, ()))
        drawn = tuple(range(dealt, min(dealt + short, len(game.pile))))
        hands[player] = (*hands.get(player, ()), *drawn)
        dealt += len(drawn)
    return replace(game, hands=MappingProxyType(hands), dealt=dealt)


@_happen.register
def _(event: Refilled, game: Game) -> Game:
    if not game.pile or game.settings.rulings.pile == "empty":
        raise IllegalMove("no_refill", "This table does not refill its pile.")
    if game.dealt < len(game.pile):
        raise IllegalMove("pile_left", "There are cards in the pile.")
    earlier = len(game.pile) - len(game.deck)
    if len(event.pile) != len(game.claims) - earlier or not event.pile:
        raise IllegalMove("bad_pile", "A new pile has all cards that were shown since the last.")
    return _with_hands(replace(game, pile=(*game.pile, *event.pile)))


@_happen.register
def _(event: Finished, game: Game) -> Game:
    if game.over_at is None and not game.ends:
        raise IllegalMove("not_over", "Nobody has enough cards yet, or the round is not finished.")
    return replace(game, finished_at=event.at)


def _turn_of(game: Game, player: str) -> Game:
    """The game at the beginning of a player's turn; raises if it is not theirs."""
    refuse_stranger(game.settings.players, player)
    if game.settings.record == "claims":
        raise IllegalMove("acts_not_told", "This table records claims only.")
    if game.over_at is None and game.ends:
        tied = game.leaders if len(game.leaders) > 1 else ()
        game = _with_further_card(replace(game, over_at=game.turns, tied=tied))
    if game.whose_turn is None:
        raise IllegalMove("game_over", f"The game is over: {', '.join(game.leaders)} won.")
    if game.whose_turn != player:
        raise IllegalMove("not_your_turn", f"It is {game.whose_turn}'s turn, not {player}'s.")
    return game


def _with_further_card(game: Game) -> Game:
    """The game with one more card for each who is tied, as far as the dealt pile goes."""
    hands, dealt = dict(game.hands), game.dealt
    for player in game.tied if game.pile else ():
        hands[player] = (dealt,) if dealt < len(game.pile) else hands[player]
        dealt += dealt < len(game.pile)
    return replace(game, hands=MappingProxyType(hands), dealt=dealt)


def _refuse_full(building: Building, space: tuple[int, int]) -> None:
    if building.height(space) >= SIZE:
        raise IllegalMove("too_high", f"Four cubes stand on {space[0]},{space[1]} already.")
