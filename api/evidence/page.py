"""The page of an evidence bundle: one HTML file that tells the whole game, made of the ledger."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from html import escape

from api.ledger.chain import Entry, canonical, genesis
from api.ledger.fingerprint import fingerprint
from api.ledger.seals import LAST_SEAL, words_of
from api.tables.dispute_record import Consent, DisputeRecord
from api.tables.record import Record
from api.tables.round_record import Sent, TrayChoice
from rules.dimension.words import card_name

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
        f"<h1>{_text(names)}</h1>",
        _summary(record),
        *([_program(record)] if record.program else []),
        _start_photos(record, suffixes),
        *(_round(record, number, suffixes) for number in range(1, len(record.plays) + 1)),
        *(_dispute(dispute, suffixes) for dispute in record.disputes),
        _history(entries),
    ]
    body = "\n".join(parts)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{policy}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Trayscore: {_text(names)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


@cache
def _policy() -> str:
    digest = b64encode(sha256(_STYLE.encode()).digest()).decode()
    return escape(_POLICY.format(digest))


def _program(record: Record) -> str:
    told = record.program or {}
    return (
        f"<p>Written by Trayscore {_text(told.get('version'))} "
        f"(<code>{_text(told.get('code'))}</code>) in the end.</p>"
    )


def _summary(record: Record) -> str:
    game = record.game
    edition = {"en": "English edition", "de": "German edition"}[game.settings.edition]
    rows = [[player, one.points, one.bonus] for player, one in game.standings.items()]
    heads: list[object] = ["Player", "Points", "Bonus tokens"]
    if game.finished:
        heads = ["Player", "Points", "Bonus tokens", "worth", "Total", "Place"]
        rows = [
            [one.player, one.points, one.bonus_tokens, one.conversion, one.total, one.place]
            for one in game.final()
        ]
    return (
        f"<p>Table <code>{_text(record.table)}</code>, opened {_time(record.created_at)}, "
        f"{edition}, {game.settings.cards_per_round} cards a round.</p>\n"
        f"{_end_words(record)}"
        "<p>If the words of each round are those that your devices showed, nothing was changed "
        f"since. The newest entry is <span class=words>{fingerprint(record.head)}</span>. "
        "<code>trayscore verify</code> with this archive checks every byte of it.</p>\n"
        f"{_table(heads, rows)}"
    )


def _end_words(record: Record) -> str:
    return f"<p>End of the game: {_words(record, LAST_SEAL)}</p>\n" if record.game.finished else ""


def _start_photos(record: Record, suffixes: Mapping[str, str]) -> str:
    """By which profiles the trays are read, and what these were measured from."""
    trays = "".join(_start(player, one, suffixes) for player, one in record.own_trays.items())
    if record.tray is not None:
        trays += _start("All others" if trays else "All", record.tray, suffixes)
    return f"<h2>Trays</h2>\n<div class=trays>{trays}</div>" if trays else ""


def _start(whose: str, choice: TrayChoice, suffixes: Mapping[str, str]) -> str:
    return (
        f"<section class=tray><h3>{_text(whose)}</h3>{_pictures(choice.photos, suffixes)}"
        f"<p>{_profile(choice.name, choice.version)}, set {_time(choice.at)} by "
        f"{_text(choice.by)}.</p></section>"
    )


def _profile(name: str, version: str | None) -> str:
    told = f" (<code>{_text(version)}</code>)" if version else ""
    return f"Profile <code>{_text(name)}</code>{told}"


def _round(record: Record, number: int, suffixes: Mapping[str, str]) -> str:
    play, round_ = record.plays[number - 1], record.game.rounds[number - 1]
    cards = "".join(
        f"<li>{_text(card_name(card).en)} <code>{_text(card)}</code></li>" for card in round_.cards
    )
    sealed = "still open"
    if play.seal is not None:
        sealed = f"locked {_time(play.seal.at)}: {_words(record, number)}"
    trays = "".join(
        _tray(record, number, player, play.trays[player], suffixes)
        for player in record.players
        if player in play.trays
    )
    how = "drawn" if play.drawn else "entered"
    return (
        f"<h2>Round {number}</h2>\n<p>Cards {how}; {sealed}</p>\n<ul>{cards}</ul>\n"
        f"<div class=trays>{trays}</div>"
    )


def _words(record: Record, number: int) -> str:
    """The words of a seal as the devices showed them, and how many devices took part."""
    for seal in words_of(record.sealings):
        if seal.number == number:
            return f"<span class=words>{_text(seal.words)}</span> {_text(seal.took_part)}"
    return "the devices have not told their numbers yet."


def _tray(record: Record, number: int, player: str, sent: Sent, suffixes: Mapping[str, str]) -> str:
    shown = [sent.overlay] if sent.overlay else [*sent.photos]
    links = " · ".join(
        f'<a href="{_file(digest, suffixes)}">photo {place}</a>'
        for place, digest in enumerate(sent.photos, 1)
    )
    who = _for_whom(sent.sender, player)
    told = [f"<p>Sent in {_time(sent.at)} by {who} ({_text(sent.by)}). {links}</p>"]
    if sent.reading is not None:
        status, sure = sent.reading["status"], sent.reading["confidence"]
        told.append(
            f"<p>Read as <code>{_text(sent.reading['layout'])}</code>, {_text(status)}, "
            f"{sure:.1%} sure. {_text(sent.reading['message'])}</p>"
        )
    if sent.reader is not None:
        used = [_profile(name, version) for name, version in sent.reader["trays"].items()]
        told.append(f"<p>{'; '.join(used)}.</p>")
    told += [
        f"<p>Changed {_time(change.at)} by {_for_whom(change.actor, player)} from "
        f"<code>{_text(change.before)}</code> to <code>{_text(change.after)}</code>: "
        f"{_text(change.reason) or 'no reason given'}</p>"
        for change in sent.changes
    ]
    return (
        f"<section class=tray><h3>{_text(player)}</h3>{_pictures(shown, suffixes)}"
        f"{''.join(told)}{_score(record, number, player, sent)}</section>"
    )


def _score(record: Record, number: int, player: str, sent: Sent) -> str:
    if not sent.legal:
        return f"<p>No tray can hold <code>{_text(sent.layout)}</code>: not scored.</p>"
    score = record.game.score(number, player)
    late = ", late" if record.game.rounds[number - 1].trays[player].late else ""
    rows = [
        [f"{'✓' if one.fulfilled else '✗'} {one.card}", one.reason.en] for one in score.verdicts
    ]
    return (
        f"<p><code>{_text(sent.layout)}</code>: {_count(score.spheres, 'sphere')}, "
        f"{_count(score.failed, 'card')} failed, <b>{_count(score.points, 'point')}</b>, "
        f"{_count(score.bonus, 'bonus token')}{late}.</p>"
        f"{_table(['Card', 'Why'], rows)}"
    )


_CONSENT_HEADS = ("Player", "says it is", "by", "whose word", "when")


def _dispute(dispute: DisputeRecord, suffixes: Mapping[str, str]) -> str:
    about = f"card {dispute.card}" if dispute.card else f"seat {dispute.seat}"
    rows = [
        [player, given.layout, given.means, _whose_word(player, given), _time(given.at)]
        for player, given in dispute.consents.items()
    ]
    ended = "<p>Still open.</p>"
    if dispute.settled is not None:
        end = dispute.settled
        favoured = f"; favoured: {_text(end.favoured)}" if end.favoured else ""
        ended = (
            f"<p><b>{_text(end.outcome)}</b> {_time(end.at)} by {_text(end.by)}{favoured}. "
            f"<code>{_text(dispute.layout)}</code> ({_text(dispute.points)} points) → "
            f"<code>{_text(end.layout)}</code> ({_text(end.points)} points)."
            f"{_spoken_for(end.spoken_for)}</p>"
        )
    return (
        f"<h2>Dispute {_text(dispute.id)}</h2>\n"
        f"<p>Opened {_time(dispute.at)} by {_text(dispute.by)} "
        f"about {_text(about)} of {_text(dispute.player)} in round {_text(dispute.round)}. "
        f"{_text(dispute.text)}</p>\n<p>It hangs on {_text(', '.join(dispute.hangs_on))}. "
        f"{_text(dispute.advice)}</p>\n{_pictures(dispute.photos, suffixes)}"
        f"{_table(_CONSENT_HEADS, rows) if rows else ''}{ended}"
    )


def _for_whom(actor: str, player: str) -> str:
    """Who did something for a player: the player, or somebody else in their place."""
    own = actor == f"player:{player}"
    return _text(player if own else f"{actor} for {player}")


def _whose_word(player: str, given: Consent) -> str:
    """Whose word a consent is, and what shows that."""
    if given.made_by is None:
        return "not recorded"
    if given.made_by == "host":
        return f"said on the host's device or by its key for {player}: not their own consent"
    where = "the host's device" if given.on == "host" else "their device"
    return f"their own, on {where}"


def _spoken_for(players: Sequence[str]) -> str:
    return f" Agreed on the host's device for {_text(', '.join(players))}." if players else ""


def _history(entries: Sequence[Entry]) -> str:
    rows = "".join(
        f"<tr><td>{_text(entry.sequence)}</td><td>{_time(entry.at)}</td><td>{_actor(entry)}</td>"
        f"<td>{_text(entry.kind)}<details><summary><code>{_text(entry.hash[:16])}</code></summary>"
        f"<pre>{_text(canonical(entry.body))}</pre></details></td></tr>"
        for entry in entries
    )
    return f"<h2>History</h2>\n<table><tr><th>#<th>when<th>who<th>what</tr>\n{rows}</table>"


def _actor(entry: Entry) -> str:
    """Who acted, and for whom if it was not for themselves."""
    player = entry.body.get("consents", entry.body.get("player"))
    acted = entry.kind in _ACTS and isinstance(player, str)
    return _for_whom(entry.actor, player) if acted else _text(entry.actor)


_ACTS = ("tray_submitted", "tray_corrected", "tray_set", "pin_set", "dispute_consent")
"""What is done by a player, or for them."""


def _pictures(digests: Iterable[str], suffixes: Mapping[str, str]) -> str:
    return "".join(_picture(digest, suffixes) for digest in digests)


def _picture(digest: str, suffixes: Mapping[str, str]) -> str:
    if digest not in suffixes:
        return (
            f"<p>This photo is not in the archive (missing.json): <code>{_text(digest)}</code></p>"
        )
    path = _file(digest, suffixes)
    return f'<p><a href="{path}"><img src="{path}" alt="photo"></a></p>'


def _file(digest: str, suffixes: Mapping[str, str]) -> str:
    return _text(f"files/{digest}.{suffixes.get(digest, 'missing')}")


def _table(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{_text(one)}" for one in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_text(one)}' for one in row)}</tr>\n" for row in rows)
    return f"<table><tr>{head}</tr>\n{body}</table>"


def _text(value: object) -> str:
    """Whatever the history says, as a text between tags or quotation marks."""
    return escape(str(value))


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
