"""Whether all that is kept is as it was kept: the database, histories, photos, and what is over.

Looking changes nothing and may be done while the service runs. Repairing needs the directory for
itself and does only what is safe: what nobody points to goes to the trash, and photos are healed
by sound copies of the very same bytes.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Table, func, select

from api.storage import schema
from api.storage.database import UNREADABLE, Database, DatabaseError, newest_revision, revision_of
from api.storage.photos import State, state_of
from api.storage.soundness import problems
from api.storage.store import Store
from api.versions import program_version

SETTLED_S = 3600.0
"""Files that were written a shorter while ago may belong to a request that is being answered."""
_MOST_TOLD = 20

Photo = tuple[str, str]
"""Hash and suffix."""


@dataclass(frozen=True)
class Findings:
    """What a check found."""

    versions: Mapping[str, str]
    tables: int
    entries: int
    photos: int
    database: tuple[str, ...] = ()
    """What is wrong in the database, in sentences."""
    damaged: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()
    in_trash: int = 0
    repaired: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether everything that belongs to a table is as it was kept; orphans harm nobody."""
        return not (self.database or self.damaged or self.missing)

    def to_json(self) -> dict[str, Any]:
        """The findings for programs."""
        return {"sound": self.sound, **asdict(self)}

    def sentences(self) -> Iterator[str]:
        """The findings for people."""
        yield from (f"✓ {text}" for text in self.repaired)
        yield from (f"✗ {text}" for text in self.database)
        yield from (f"✗ The photo {name} is damaged." for name in self.damaged)
        yield from (f"✗ The photo {name} is missing." for name in self.missing)
        if self.damaged or self.missing:
            yield "  Send these photos again, restore a backup, or try: trayscore check --repair"
        if self.orphans:
            count = f"{len(self.orphans)} files in photos belong to no table"
            yield f"  {count}: the next start, or --repair, moves them to the trash."
        if self.in_trash:
            yield f"  {self.in_trash} files are in the trash."
        told = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        yield f"{self.tables} tables, {self.entries} entries, {self.photos} photos ({told})."
        yield "All is sound." if self.sound else "Something is wrong, see above."


def check_store(directory: Path, database_url: str | None, repair: bool = False) -> Findings:
    """What is wrong with all that is kept; raises ``DatabaseError`` if it cannot be looked at."""
    store = Store(directory, database_url)
    if not store.database.is_there() and not directory.is_dir():
        raise DatabaseError("nothing_there", f"Nothing is kept in {directory}.")
    repaired: list[str] = []
    try:
        if repair:
            store.open()
            repaired += _heal(store)
        else:
            store.refuse()
        return _look(store, 0.0 if repair else SETTLED_S, repaired)
    except UNREADABLE as error:
        raise store.database.unusable(error) from error
    finally:
        store.close()


def _look(store: Store, settled_s: float, repaired: Sequence[str]) -> Findings:
    if not store.database.is_there():
        return Findings({"program": program_version()}, 0, 0, 0)
    there = store.files.all()
    with store.database.reading() as connection:
        found = tuple(database_problems(connection, store.database))
        if not found:
            found = tuple(problems(connection))
        wanted = all_photos(connection)
        tables, entries = (_count(connection, one) for one in (schema.tables, schema.entries))
    states = {photo: store.files.state(*photo) for photo in wanted}
    before = time.time() - settled_s
    return Findings(
        versions=_versions(store.database),
        tables=tables,
        entries=entries,
        photos=len(wanted),
        database=found,
        damaged=_named(states, "damaged"),
        missing=_still_wanted(store, _named(states, "missing")),
        orphans=_orphans(there, {digest for digest, _ in wanted}, before),
        in_trash=sum(len(paths) for paths in store.trash.files().values()),
        repaired=tuple(repaired),
    )


def database_problems(connection: Connection, database: Database) -> Iterator[str]:
    """What the database itself finds, and whether it has the form that this version wants."""
    revision = revision_of(connection)
    if revision != newest_revision():
        yield (
            f"The database has the form {revision}, this version wants {newest_revision()}: start "
            "the service once, then check again."
        )
    if not database.is_sqlite:
        return
    for (text,) in connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_TOLD})"):
        if text != "ok":
            yield f"SQLite: {text}"
    strays = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if strays:
        yield f"{len(strays)} rows belong to tables that are not there."
    if revision == newest_revision() and _form(connection) != _form_of_new():
        yield "The form of the database is not the one that this version makes."


def _form(connection: Connection) -> frozenset[tuple[Any, ...]]:
    master = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    return frozenset(tuple(row) for row in connection.exec_driver_sql(master))


@cache
def _form_of_new() -> frozenset[tuple[Any, ...]]:
    """The form that a new database has."""
    with TemporaryDirectory(prefix="trayscore-") as scratch:
        database = Database(f"sqlite:///{Path(scratch) / 'new.db'}")
        database.open()
        with database.reading() as connection:
            form = _form(connection)
        database.close()
        return form


def all_photos(connection: Connection) -> list[Photo]:
    """All photos that tables have, by their hashes."""
    columns = (schema.files.c.sha256, schema.files.c.suffix)
    rows = connection.execute(select(*columns).distinct().order_by(*columns))
    return [(str(digest), str(suffix)) for digest, suffix in rows]


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _named(states: Mapping[Photo, State], state: State) -> tuple[str, ...]:
    return tuple(f"{digest}.{suffix}" for (digest, suffix), one in states.items() if one == state)


def _still_wanted(store: Store, names: Sequence[str]) -> tuple[str, ...]:
    """Those that were not deleted with their table meanwhile."""
    wanted = store.wanted_files() if names else set()
    return tuple(name for name in names if name.partition(".")[0] in wanted)


def _orphans(there: Sequence[Path], wanted: set[str], before: float) -> tuple[str, ...]:
    strays = [path for path in there if path.stem not in wanted and path.exists()]
    return tuple(sorted(path.name for path in strays if path.stat().st_mtime < before))


def _versions(database: Database) -> dict[str, str]:
    with database.reading() as connection:
        revision = revision_of(connection)
        told = connection.dialect.server_version_info or ()
    kind = "SQLite" if database.is_sqlite else "PostgreSQL"
    number = ".".join(map(str, told))
    return {"program": program_version(), "database": str(revision), kind: number}


def _heal(store: Store) -> Iterator[str]:
    """What was healed: photos of which a sound copy is in the trash or under another ending."""
    copies = store.trash.files()
    for path in store.files.all():
        copies.setdefault(path.stem, []).append(path)
    with store.database.reading() as connection:
        wanted = all_photos(connection)
    for digest, suffix in wanted:
        if store.files.state(digest, suffix) == "sound":
            continue
        found = (path for path in copies.get(digest, ()) if state_of(path, digest) == "sound")
        copy = next(found, None)
        if copy is not None:
            store.files.write(copy.read_bytes(), suffix)
            yield f"The photo {digest}.{suffix} was healed by a copy: {copy}."
