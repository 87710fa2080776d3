"""A restore under way: all of it is laid out in the data directory, then swapped in.

Until it is ready, nothing of what is there is touched. Once it is, the next start finishes what a
power cut interrupts: each step tells by what lies where whether it was done.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex

from api.storage.database import UNREADABLE, Database
from api.storage.disk import make_directory, sync_directory, write_whole
from api.storage.identity import ID, database_id
from api.storage.trash import Trash

RESTORING = "restoring"
_READY = "ready.json"
_SWAPPED = ("trayscore.db", "photos", "trays", ID)
"""In this order: a directory whose id was swapped has all the rest."""
_SIDE_FILES = {"trayscore.db": ("trayscore.db-wal", "trayscore.db-shm")}


def mark_ready(staged: Path, id_: str, replaced: Path) -> None:
    """From now on the restore is finished, at the next start if not now."""
    write_whole(staged / ID, id_.encode())
    told = {"id": id_, "replaced": replaced.name}
    write_whole(staged / _READY, json.dumps(told).encode())


def finish_restoring(directory: Path, database: Database, trash: Trash) -> None:
    """Swap in what lies ready; set aside what does not."""
    staged = directory / RESTORING
    if not staged.exists():
        return
    ready = _ready(staged)
    if ready is None or not _is_meant(staged, database, ready["id"]):
        trash.put([staged], "unfinished", directory)
        return
    replaced = trash.directory / ready["replaced"]
    make_directory(replaced)
    for name in _SWAPPED:
        if (staged / name).exists():
            for old in (*_SIDE_FILES.get(name, ()), name):
                if (directory / old).exists():
                    (directory / old).replace(_free(replaced / old))
            (staged / name).replace(directory / name)
            sync_directory(directory)
    shutil.rmtree(staged)  # nothing is left in it but the note that it is ready


def _free(path: Path) -> Path:
    """The path, or another if it is taken: by what lay there before a power cut."""
    return path.with_name(f"{path.name}-{token_hex(4)}") if path.exists() else path


def drop_unready(directory: Path) -> None:
    """Delete what was laid out in vain: all of it is in the backup still."""
    staged = directory / RESTORING
    if staged.exists() and _ready(staged) is None:
        shutil.rmtree(staged)


def undo_restoring(directory: Path, replaced: Path, trash: Trash) -> None:
    """Bring back what a restore replaced."""
    new = [directory / name for name in _SWAPPED if (replaced / name).exists()]
    new += [directory / side for sides in _SIDE_FILES.values() for side in sides]
    trash.put([path for path in new if path.exists()], "unfinished", directory)
    for path in list(replaced.iterdir()):
        path.replace(directory / path.name)
    replaced.rmdir()


def _ready(staged: Path) -> Mapping[str, str] | None:
    try:
        told: Mapping[str, str] = json.loads((staged / _READY).read_bytes())
    except FileNotFoundError:
        return None
    return told


def _is_meant(staged: Path, database: Database, id_: str) -> bool:
    """Whether the database is the restored one: it lies ready too, or has the new id already."""
    if (staged / "trayscore.db").exists():
        return True
    if not database.is_there():
        return False
    try:
        with database.reading() as connection:
            return database_id(connection) == id_
    except UNREADABLE as error:
        raise database.unusable(error) from error
