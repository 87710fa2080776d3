"""A data directory in which a table was played, and whose service has stopped."""

import atexit
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests.api.tables.house import A, At, B, House, house, photo


@dataclass(frozen=True)
class Played:
    """The table, and how its host comes back to it."""

    id: str
    code: str
    token: str

    def at(self, house: House) -> At:
        """The table in a service that runs again."""
        return At(house, self.id, self.code, self.token)


def played(directory: Path, database_url: str | None = None) -> Played:
    """A locked round with two photos and their drawings, and a second round by hand."""
    if database_url is not None:
        return _play(directory, database_url)
    template, table = _template()
    shutil.copytree(template, directory, dirs_exist_ok=True)
    return table


@cache
def _template() -> tuple[Path, Played]:
    """Played once: to copy it takes no time."""
    directory = Path(mkdtemp(prefix="trayscore-played-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory, _play(directory, None)


def _play(directory: Path, database_url: str | None) -> Played:
    with house(directory, database_url) as at:
        host = at.open("Ada", "Ben")
        host.reveal()
        host.photographed(1, "Ada", A, photo(1))
        host.photographed(1, "Ben", B, photo(2))
        host.lock(1)
        host.play_round(2, Ada=A, Ben=B)
        host.joined("Ada")
        host.do("/players/Ada/pin", {"pin": "2468"}, headers={"Idempotency-Key": "pin"})
        alone = at.open("Cleo")
        for number in range(1, 7):
            alone.play_round(number, Cleo=A)
        alone.do("/finish")
    return Played(host.id, host.code, host.token)
