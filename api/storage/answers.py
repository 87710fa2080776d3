"""Answers that were given, by the idempotency keys of their requests.

An answer is kept in the transaction that it tells of, so a request sent again after a lost
connection, or after a crash, is answered again and not done again. A token in an answer is not
kept: the random number is, from which the service makes the same token again.
"""

from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from api.storage.checksums import with_checksum
from api.storage.schema import answers

KEPT_S = 48 * 3600.0
"""How long a request may be sent again."""

_FOUND = select(answers).where(
    answers.c.scope == bindparam("scope"), answers.c.key == bindparam("key")
)
_OUTDATED = delete(answers).where(answers.c.at < bindparam("before"))
_KEPT = insert(answers)


@dataclass(frozen=True)
class Answer:
    """What a request was answered, and the digest of the request."""

    request: str
    status: int
    body: str
    nonce: str | None = None


def find(connection: Connection, scope: str, key: str) -> Answer | None:
    """The answer that was given to the request with this key."""
    row = connection.execute(_FOUND, {"scope": _digest(scope), "key": _digest(key)}).first()
    return None if row is None else Answer(row.request, row.status, row.body, row.nonce)


def keep(
    connection: Connection, scope: str, key: str, answer: Answer, table: str | None, at: float
) -> None:
    """Keep an answer, and forget those that are too old."""
    connection.execute(_OUTDATED, {"before": at - KEPT_S})
    place = {"scope": _digest(scope), "key": _digest(key), "table_id": table, "at": at}
    connection.execute(_KEPT, with_checksum(answers, {**vars(answer), **place}))


def count(connection: Connection, scope: str) -> int:
    """How many answers are kept of this scope."""
    query = select(func.count()).select_from(answers).where(answers.c.scope == _digest(scope))
    return int(connection.execute(query).scalar_one())


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
