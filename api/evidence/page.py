"""The page of an evidence bundle: one HTML file that tells the whole game, made of the ledger."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from typing import Any, Protocol, cast

from api.evidence.html import table, text, time
from api.games.registry import part
from api.ledger.chain import Entry, canonical, genesis
from api.ledger.fingerprint import fingerprint
from api.ledger.seals import last_seal, words_of
from api.tables.dispute_record import Consent, DisputeRecord
from api.tables.record import Record
from api.tables.round_record import Sent, TrayChoice

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.trays { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fill, minmax(21rem, 1fr)); }
.tray { border: 1px solid #8888; border-radius: .5rem; padding: 1rem; }
.tray img { width: 100%; border-radius: .25rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .5rem; border-bottom: 1px solid #8884; }
td { vertical-align: top; }
.tray td:first-child { white-space: nowrap; }
code, .words { font-family: ui-monospace, monospace; }
.words { font-weight: bold; }
details pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .75rem; }
"""


class GameEvidence(Protocol):
    """What a game adds to the page: the registry's part ``evidence``."""

    terms_title: str
    """What is revealed for a round: cards, for instance."""

    def how(self, state: Any) -> str:
        """How the game is played at this table."""

    def standings(self, state: Any) -> tuple[Sequence[object], Sequence[Sequence[object]]]:
        """Heads and rows of the table of points."""

    def terms(self, state: Any, number: int) -> Sequence[tuple[str, str]]:
        """What was revealed for a round: each name and code."""

    def score(self, state: Any, number: int, player: str, position: str) -> str:
        """What a position scored and why, in HTML (see ``api.evidence.html``)."""

    def about(self, about: Mapping[str, Any]) -> str:
        """What a dispute is about."""


def _game(record: Record) -> GameEvidence:
    return cast(GameEvidence, part(record.game.id, "evidence"))


_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'sha256-{}'; base-uri 'none'; "
    "form-action 'none'"
)
"""What a browser lets the page do: show its pictures in its style. No script runs, none is there,
and nothing is fetched from anywhere or sent there."""


def page(table: str, entries: Sequence[Entry], suffixes: Mapping[str, str]) -> str:
    """The page; ``suffixes`` are those of the files by hash."""
    record = Record(table, head=genesis(table)).after_all(entries)
    names = ", ".join(record.players)
    parts = [
        f"<h1>{text(names)}</h1>",
        _summary(record),
        *([_program(record)] if record.program else []),
        _start_photos(record, suffixes),
        *(_round(record, number, suffixes) for number in range(1, len(record.plays) + 1)),
        *(_dispute(record, dispute, suffixes) for dispute in record.disputes),
        _history(entries),
    ]
    body = "\n".join(parts)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{policy}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Trayscore: {text(names)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


@cache
def _policy() -> str:
    digest = b64encode(sha256(_STYLE.encode()).digest()).decode()
    return escape(_POLICY.format(digest))


def _program(record: Record) -> str:
    told = record.program or {}
    return (
        f"<p>Written by Trayscore {text(told.get('version'))} "
        f"(<code>{text(told.get('code'))}</code>) in the end.</p>"
    )


def _summary(record: Record) -> str:
    played = _game(record)
    return (
        f"<p>Table <code>{text(record.table)}</code>, opened {time(record.created_at)}, "
        f"{text(played.how(record.state))}.</p>\n"
        f"{_end_words(record)}"
        "<p>If the words of each round are those that your devices showed, nothing was changed "
        f"since. The newest entry is <span class=words>{fingerprint(record.head)}</span>. "
        "<code>trayscore verify</code> with this archive checks every byte of it.</p>\n"
        f"{table(*played.standings(record.state))}"
    )


def _end_words(record: Record) -> str:
    if not record.state.finished:
        return ""
    return f"<p>End of the game: {_words(record, last_seal(record.game.rounds))}</p>\n"


def _start_photos(record: Record, suffixes: Mapping[str, str]) -> str:
    """By which profiles the trays are read, and what these were measured from."""
    trays = "".join(_start(player, one, suffixes) for player, one in record.own_trays.items())
    if record.tray is not None:
        trays += _start("All others" if trays else "All", record.tray, suffixes)
    return f"<h2>Trays</h2>\n<div class=trays>{trays}</div>" if trays else ""


def _start(whose: str, choice: TrayChoice, suffixes: Mapping[str, str]) -> str:
    return (
        f"<section class=tray><h3>{text(whose)}</h3>{_pictures(choice.photos, suffixes)}"
        f"<p>{_profile(choice.name, choice.version)}, set {time(choice.at)} by "
        f"{text(choice.by)}.</p></section>"
    )


def _profile(name: str, version: str | None) -> str:
    told = f" (<code>{text(version)}</code>)" if version else ""
    return f"Profile <code>{text(name)}</code>{told}"


def _round(record: Record, number: int, suffixes: Mapping[str, str]) -> str:
    play, played = record.plays[number - 1], _game(record)
    terms = "".join(
        f"<li>{text(name)} <code>{text(code)}</code></li>"
        for name, code in played.terms(record.state, number)
    )
    sealed = "still open"
    if play.seal is not None:
        sealed = f"locked {time(play.seal.at)}: {_words(record, number)}"
    trays = "".join(
        _tray(record, number, player, play.sent[player], suffixes)
        for player in record.players
        if player in play.sent
    )
    how = "drawn" if play.drawn else "entered"
    return (
        f"<h2>Round {number}</h2>\n<p>{text(played.terms_title)} {how}; {sealed}</p>\n"
        f"<ul>{terms}</ul>\n"
        f"<div class=trays>{trays}</div>"
    )


def _words(record: Record, number: int) -> str:
    """The words of a seal as the devices showed them, and how many devices took part."""
    for seal in words_of(record.sealings, last_seal(record.game.rounds)):
        if seal.number == number:
            return f"<span class=words>{text(seal.words)}</span> {text(seal.took_part)}"
    return "the devices have not told their numbers yet."


def _tray(record: Record, number: int, player: str, sent: Sent, suffixes: Mapping[str, str]) -> str:
    shown = [sent.overlay] if sent.overlay else [*sent.photos]
    links = " · ".join(
        f'<a href="{_file(digest, suffixes)}">photo {place}</a>'
        for place, digest in enumerate(sent.photos, 1)
    )
    who = _for_whom(sent.sender, player)
    told = [f"<p>Sent in {time(sent.at)} by {who} ({text(sent.by)}). {links}</p>"]
    if sent.reading is not None:
        status, sure = sent.reading["status"], sent.reading["confidence"]
        read = sent.reading[record.game.names.position]
        told.append(
            f"<p>Read as <code>{text(read)}</code>, {text(status)}, "
            f"{sure:.1%} sure. {text(sent.reading['message'])}</p>"
        )
    if sent.reader is not None:
        used = [_profile(name, version) for name, version in sent.reader["trays"].items()]
        told.append(f"<p>{'; '.join(used)}.</p>")
    told += [
        f"<p>Changed {time(change.at)} by {_for_whom(change.actor, player)} from "
        f"<code>{text(change.before)}</code> to <code>{text(change.after)}</code>: "
        f"{text(change.reason) or 'no reason given'}</p>"
        for change in sent.changes
    ]
    return (
        f"<section class=tray><h3>{text(player)}</h3>{_pictures(shown, suffixes)}"
        f"{''.join(told)}{_score(record, number, player, sent)}</section>"
    )


def _score(record: Record, number: int, player: str, sent: Sent) -> str:
    if not sent.legal:
        return f"<p>No tray can hold <code>{text(sent.position)}</code>: not scored.</p>"
    return _game(record).score(record.state, number, player, sent.position)


_CONSENT_HEADS = ("Player", "says it is", "by", "whose word", "when")


def _dispute(record: Record, dispute: DisputeRecord, suffixes: Mapping[str, str]) -> str:
    about = _game(record).about(dispute.about)
    rows = [
        [player, given.position, given.means, _whose_word(player, given), time(given.at)]
        for player, given in dispute.consents.items()
    ]
    ended = "<p>Still open.</p>"
    if dispute.settled is not None:
        end = dispute.settled
        favoured = f"; favoured: {text(end.favoured)}" if end.favoured else ""
        ended = (
            f"<p><b>{text(end.outcome)}</b> {time(end.at)} by {text(end.by)}{favoured}. "
            f"<code>{text(dispute.position)}</code> ({text(dispute.points)} points) → "
            f"<code>{text(end.position)}</code> ({text(end.points)} points)."
            f"{_spoken_for(end.spoken_for)}</p>"
        )
    return (
        f"<h2>Dispute {text(dispute.id)}</h2>\n"
        f"<p>Opened {time(dispute.at)} by {text(dispute.by)} "
        f"about {text(about)} of {text(dispute.player)} in round {text(dispute.round)}. "
        f"{text(dispute.text)}</p>\n<p>It hangs on {text(', '.join(dispute.hangs_on))}. "
        f"{text(dispute.advice)}</p>\n{_pictures(dispute.photos, suffixes)}"
        f"{table(_CONSENT_HEADS, rows) if rows else ''}{ended}"
    )


def _for_whom(actor: str, player: str) -> str:
    """Who did something for a player: the player, or somebody else in their place."""
    own = actor == f"player:{player}"
    return text(player if own else f"{actor} for {player}")


def _whose_word(player: str, given: Consent) -> str:
    """Whose word a consent is, and what shows that."""
    if given.made_by is None:
        return "not recorded"
    if given.made_by == "host":
        return f"said on the host's device or by its key for {player}: not their own consent"
    where = "the host's device" if given.on == "host" else "their device"
    return f"their own, on {where}"


def _spoken_for(players: Sequence[str]) -> str:
    return f" Agreed on the host's device for {text(', '.join(players))}." if players else ""


def _history(entries: Sequence[Entry]) -> str:
    rows = "".join(
        f"<tr><td>{text(entry.sequence)}</td><td>{time(entry.at)}</td><td>{_actor(entry)}</td>"
        f"<td>{text(entry.kind)}<details><summary><code>{text(entry.hash[:16])}</code></summary>"
        f"<pre>{text(canonical(entry.body))}</pre></details></td></tr>"
        for entry in entries
    )
    return f"<h2>History</h2>\n<table><tr><th>#<th>when<th>who<th>what</tr>\n{rows}</table>"


def _actor(entry: Entry) -> str:
    """Who acted, and for whom if it was not for themselves."""
    player = entry.body.get("consents", entry.body.get("player"))
    acted = entry.kind.endswith(_ACTS) and isinstance(player, str)
    return _for_whom(entry.actor, player) if acted else text(entry.actor)


_ACTS = ("_submitted", "_corrected", "tray_set", "pin_set", "dispute_consent")
"""What is done by a player, or for them."""


def _pictures(digests: Iterable[str], suffixes: Mapping[str, str]) -> str:
    return "".join(_picture(digest, suffixes) for digest in digests)


def _picture(digest: str, suffixes: Mapping[str, str]) -> str:
    if digest not in suffixes:
        return (
            f"<p>This photo is not in the archive (missing.json): <code>{text(digest)}</code></p>"
        )
    path = _file(digest, suffixes)
    return f'<p><a href="{path}"><img src="{path}" alt="photo"></a></p>'


def _file(digest: str, suffixes: Mapping[str, str]) -> str:
    return text(f"files/{digest}.{suffixes.get(digest, 'missing')}")
