"""What happened at a table, entry by entry: the rules' game, and what the service adds to it.

A record is an immutable value; each entry of the history gives the next one. Nothing else changes
a table, so whoever replays the history gets the same table.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from types import MappingProxyType
from typing import Any

from api.ledger.chain import Entry
from api.ledger.seals import Sealing, last_seal, sealings_after
from api.tables.dispute_record import Consent, DisputeRecord, Maker, Settled
from api.tables.round_record import Json, Play, Seal, Sent, TrayChange, TrayChoice
from api.tables.table_game import Names, State, TableGame, rules, table_game
from rules.games import DEFAULT

TallyKey = tuple[str, int | None, str | None, str | None]


@dataclass(frozen=True)
class Record:
    """A table after some entries of its history.

    ``seed`` is the secret one that cards are drawn by, told by the history when the game is over.
    """

    table: str
    seed: int = 0
    length: int = 0
    head: str = ""
    at: float = 0.0
    """When the newest entry was written."""
    program: Json | None = None
    """Version and code of the program that writes; histories of the beginning do not say."""
    opened: Json = field(default_factory=dict)
    created_at: float = 0.0
    set_up: State | None = None
    plays: tuple[Play, ...] = ()
    disputes: tuple[DisputeRecord, ...] = ()
    joined: Mapping[str, Maker] = field(default_factory=lambda: MappingProxyType({}))
    """Who has a token, and who made it."""
    pins: Mapping[str, Maker] = field(default_factory=lambda: MappingProxyType({}))
    own_means: frozenset[str] = frozenset()
    """Players who ever had a token or a PIN that the host did not make."""
    sealings: Mapping[int, Sealing] = field(default_factory=lambda: MappingProxyType({}))
    tray: TrayChoice | None = None
    """For all players who have none of their own; None: the built-in ones are tried."""
    own_trays: Mapping[str, TrayChoice] = field(default_factory=lambda: MappingProxyType({}))
    trays_set: tuple[TrayChoice, ...] = ()
    """All profiles that ever were in use: a photo may have been on its way when one was set."""
    tally: Mapping[TallyKey, int] = field(default_factory=lambda: MappingProxyType({}))
    """How often each kind of thing happened, by round and player (see ``tallied``)."""

    @property
    def game(self) -> TableGame:
        """The game that is played; an old history that names none is of the first one."""
        return table_game(self.opened.get("game", DEFAULT))

    @property
    def state(self) -> State:
        """The table by the rules."""
        if self.set_up is None:
            raise ValueError("The table's history does not begin by opening it.")
        return self.set_up

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of the table."""
        names: tuple[str, ...] = self.state.settings.players
        return names

    def after(self, entry: Entry) -> "Record":
        """The record with one more entry; raises ``RulesError`` for one that cannot be."""
        happened = entry.body.get("event")
        state, opens = self.set_up, entry.kind == "table_opened"
        game = table_game(entry.body.get("game", DEFAULT)) if opens else self.game
        if happened is not None:
            known = {"seed": self.seed} if opens else {}
            state = rules(game).after(state, {**known, **happened})
        key = tallied(entry.kind, entry.body, entry.actor)
        tally = MappingProxyType({**self.tally, key: self.tally.get(key, 0) + 1})
        moved = replace(
            self,
            length=entry.sequence,
            head=entry.hash,
            at=entry.at,
            set_up=state,
            tally=tally,
        )
        return happens(game)[entry.kind](moved, entry)

    def after_all(self, entries: Iterable[Entry]) -> "Record":
        """The record with these entries added."""
        return reduce(lambda record, entry: record.after(entry), entries, self)

    def tray_of(self, player: str) -> TrayChoice | None:
        """The profile for a player's tray: their own, or else the table's."""
        return self.own_trays.get(player, self.tray)

    def sealing(self, number: int) -> Sealing:
        """What devices gave to a seal so far."""
        return self.sealings.get(number, Sealing())

    def is_frozen(self, number: int) -> bool:
        """Whether a dispute about this round is open."""
        return any(d.round == number and d.settled is None for d in self.disputes)

    def with_play(self, number: int, play: Play) -> "Record":
        """The record with what is known of a round replaced."""
        plays = list(self.plays)
        plays[number - 1] = play
        return replace(self, plays=tuple(plays))

    def with_sent(self, number: int, player: str, sent: Sent) -> "Record":
        """The record with what a player sent in replaced."""
        play = self.plays[number - 1]
        everybody = MappingProxyType({**play.sent, player: sent})
        return self.with_play(number, replace(play, sent=everybody))

    def with_dispute(self, dispute: DisputeRecord) -> "Record":
        """The record with a dispute replaced."""
        disputes = list(self.disputes)
        disputes[dispute.id - 1] = dispute
        return replace(self, disputes=tuple(disputes))


def tallied(kind: str, body: Json, actor: str) -> TallyKey:
    """Under what an entry is counted: nobody uses up what another player may do."""
    by = actor if kind == "dispute_opened" else body.get("consents")
    return kind, body.get("round"), body.get("player"), by


def _opened(record: Record, entry: Entry) -> Record:
    name = entry.body["tray"]
    tray = None if name is None else TrayChoice(name, entry.at, entry.actor)
    return replace(
        record,
        opened=entry.body,
        program=entry.body.get("program"),
        created_at=entry.at,
        tray=tray,
        trays_set=() if tray is None else (tray,),
    )


def _program_changed(record: Record, entry: Entry) -> Record:
    return replace(record, program=entry.body["program"])


def _tray_set(record: Record, entry: Entry) -> Record:
    body, player = entry.body, entry.body["player"]
    choice = None
    if body["tray"] is not None:
        choice = TrayChoice(
            name=body["tray"],
            at=entry.at,
            by=entry.actor,
            version=body["version"],
            profile=body["profile"],
            photos=entry.files,
            reading=body["reading"],
        )
        record = replace(record, trays_set=(*record.trays_set, choice))
    if player is None:  # all trays are alike: nobody has one of their own any more
        return replace(record, tray=choice, own_trays=MappingProxyType({}))
    own = {name: one for name, one in record.own_trays.items() if name != player}
    own |= {} if choice is None else {player: choice}
    return replace(record, own_trays=MappingProxyType(own))


def _joined(record: Record, entry: Entry) -> Record:
    maker: Maker = "host" if entry.kind == "token_reissued" else "player"
    joined = MappingProxyType({**record.joined, entry.body["player"]: maker})
    return _owning(replace(record, joined=joined), entry.body["player"], maker)


def _pin_set(record: Record, entry: Entry) -> Record:
    player = entry.body["player"]
    maker: Maker = entry.body.get("made_by") or ("host" if entry.actor == "host" else "player")
    pins = MappingProxyType({**record.pins, player: maker})
    return _owning(replace(record, pins=pins), player, maker)


def _owning(record: Record, player: str, maker: Maker) -> Record:
    own = {player} if maker == "player" else set[str]()
    return replace(record, own_means=record.own_means | own)


def _sealing(record: Record, entry: Entry) -> Record:
    last = last_seal(record.game.rounds)
    return replace(record, sealings=sealings_after(record.sealings, entry, last))


def _revealed(record: Record, entry: Entry) -> Record:
    play = Play(entry.body["drawn"], entry.body["event"], entry.at)
    return replace(record, plays=(*record.plays, play))


def _own_kind(record: Record, entry: Entry) -> Record:
    number = entry.body["round"]
    play = record.plays[number - 1]
    return record.with_play(number, replace(play, own_kinds=play.own_kinds | {entry.kind}))


def _submitted(record: Record, entry: Entry) -> Record:
    body = entry.body
    sent = Sent(
        by=body["by"],
        sender=entry.actor,
        at=body["at"],
        position=body[record.game.names.position],
        legal=body["event"] is not None,
        photos=entry.files,
        reading=body.get("reading"),
        doubt=body.get("doubt"),
        reader=body.get("reader"),
    )
    return record.with_sent(body["round"], body["player"], sent)


def _corrected(record: Record, entry: Entry) -> Record:
    body = entry.body
    sent = record.plays[body["round"] - 1].sent[body["player"]]
    change = TrayChange(
        entry.at, entry.actor, body["before"], body["after"], body["reason"], body.get("dispute")
    )
    changed = replace(sent, position=body["after"], legal=True, changes=(*sent.changes, change))
    return record.with_sent(body["round"], body["player"], changed)


def _locked(record: Record, entry: Entry) -> Record:
    number = entry.body["round"]
    play = record.plays[number - 1]
    drawn: Mapping[str, str] = entry.body["overlays"]
    sent = {player: replace(one, overlay=drawn.get(player)) for player, one in play.sent.items()}
    seal = Seal(entry.at, entry.sequence, entry.hash, record.state)
    record = _sealing(record, entry)
    return record.with_play(number, replace(play, seal=seal, sent=MappingProxyType(sent)))


def _dispute_opened(record: Record, entry: Entry) -> Record:
    body = entry.body
    told = {name: body[name] for name in ("round", "player", "text")}
    position = record.game.names.position
    known = {*_DISPUTE, position}
    dispute = DisputeRecord(
        id=body["dispute"],
        at=entry.at,
        by=entry.actor,
        about={name: value for name, value in body.items() if name not in known},
        position=body[position],
        points=body["points"],
        made_by=body.get("made_by"),
        **told,
        **_shown(body),
    )
    return replace(record, disputes=(*record.disputes, dispute))


def _dispute_photos(record: Record, entry: Entry) -> Record:
    dispute = record.disputes[entry.body["dispute"] - 1]
    return record.with_dispute(
        replace(
            dispute,
            photos=(*dispute.photos, *entry.files),
            reading=entry.body["reading"],
            **_shown(entry.body),
        )
    )


def _shown(body: Json) -> dict[str, Any]:
    """What the players were told that a disputed verdict hangs on."""
    return {
        "hangs_on": tuple(body["hangs_on"]),
        "advice": body["advice"],
        "doubt": body["doubt"],
    }


def _consented(record: Record, entry: Entry) -> Record:
    dispute = record.disputes[entry.body["dispute"] - 1]
    body = entry.body
    said = body[record.game.names.position]
    given = Consent(said, entry.at, body["means"], entry.actor, body.get("made_by"))
    consents = MappingProxyType({**dispute.consents, entry.body["consents"]: given})
    return record.with_dispute(replace(dispute, consents=consents))


def _resolved(record: Record, entry: Entry) -> Record:
    body = entry.body
    dispute = record.disputes[body["dispute"] - 1]
    settled = Settled(
        outcome=body["outcome"],
        at=entry.at,
        by=entry.actor,
        position=body["after"],
        points=body["points"],
        favoured=body["favoured"],
        spoken_for=tuple(body.get("spoken_for", ())),
    )
    closed = record.with_dispute(replace(dispute, settled=settled))
    return closed if body["event"] is None else _corrected(closed, entry)


Happening = Callable[[Record, Entry], Record]

_HAPPENED: dict[str, Happening] = {
    "table_opened": _opened,
    "program_changed": _program_changed,
    "player_joined": _joined,
    "token_reissued": _joined,
    "pin_set": _pin_set,
    "tray_set": _tray_set,
    "round_locked": _locked,
    "game_finished": _sealing,
    "share_committed": _sealing,
    "share_told": _sealing,
    "words_closed": _sealing,
    "dispute_opened": _dispute_opened,
    "dispute_photos": _dispute_photos,
    "dispute_consent": _consented,
    "dispute_resolved": _resolved,
}
"""What each kind of entry that all games have changes, beside what the rules make of its event."""

_DISPUTE = frozenset(
    {
        *("dispute", "round", "player", "text", "points", "made_by"),
        *("doubt", "hangs_on", "advice"),
    }
)
"""What entries that open a dispute say in all games; the rest is what it is about."""


@cache
def _named(names: Names, own: frozenset[str]) -> Mapping[str, Happening]:
    return {
        **_HAPPENED,
        names.revealed: _revealed,
        names.submitted: _submitted,
        names.corrected: _corrected,
        **dict.fromkeys(own, _own_kind),
    }


def happens(game: TableGame) -> Mapping[str, Happening]:
    """What each kind of entry of a game changes."""
    return _named(game.names, game.own_kinds)
