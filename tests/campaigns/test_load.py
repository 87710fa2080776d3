"""Twenty tables whose players all send their photo at once: nobody is lost, and all see the news.

The goals are those of a machine that does nothing else, and machines that test do: so each is held
against what this run itself shows of the machine.

- All are answered within 1.5 times what the bare readers take for as many photos. Both are taken in
  the processor's time: that of service and workers, spread over the cores and stretched by the
  share of the time in which workers had nothing to do, for they should have; that of bare readers,
  measured before and after. Where nothing else runs, this is the time by the clock, which is told.
- ``/v1/health`` within 100 ms: 49 of 50 askings, and beyond the worst that a process took which
  has nothing to do and was asked at the same moments. The very worst is told, not held: the
  service stands in line for a core as well, and how long it did in one asking nobody tells.
- News within a second, beyond the same.

Who sends and who watches are processes of their own that do little, for phones have processors of
their own. Only to make eighty clients of an HTTP library took 3.3 s of the processor, a third of
what all readings take: much of what was seen with them was theirs.
"""

import os
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.api.usage import Used
from tests.campaigns.bare import OneReading, one_reading
from tests.campaigns.phones import Phones, Sending, Sent
from tests.campaigns.serving import Serving, Table, as_upload, client, done, open_table, photos
from tests.campaigns.watching import Seen, Watch

TABLES = 20
PLAYERS = ("Ada", "Ben", "Cleo", "Dan")
PHOTOS = TABLES * len(PLAYERS)
WATCHED = 4
CORES = os.cpu_count() or 1
WORKERS = min(CORES, 8)
NAMES = ("01006.jpg", "01211.jpg", "01103.jpg", "02414.jpg", "02200-a.jpg")
PER_WORKER_MB, SERVICE_MB = 350, 350
MOST_TIMES = 1.5
HEALTH_S, NEWS_S = 0.1, 1.0


@dataclass(frozen=True)
class Burst:
    """What was seen of eighty photos at once."""

    sent: Sent
    seen: Seen
    service: Used
    workers: Sequence[Used]
    bare: OneReading

    @property
    def taken_s(self) -> float:
        """Until the last was answered, by the clock."""
        return max(self.sent.seconds)

    @property
    def own_s(self) -> float:
        """The same if nobody else had taken anything of the cores."""
        worked = sum(worker.cpu_s for worker in self.workers) / WORKERS
        return (worked + self.service.cpu_s / CORES) / self.busy

    @property
    def busy(self) -> float:
        """The share of the time in which a worker was at work, or stood in line for a core."""
        wanted = statistics.mean(worker.cpu_s + worker.queued_s for worker in self.workers)
        return min(1.0, wanted / self.taken_s)

    @property
    def bare_s(self) -> float:
        """What the bare readers take for as many photos, of the cores' time."""
        return PHOTOS * self.bare.cpu_s / WORKERS

    def __str__(self) -> str:
        mine, theirs = self.service.cpu_s / PHOTOS, sum(w.cpu_s for w in self.workers) / PHOTOS
        others = self.sent.cpu_s + self.seen.cpu_s
        return (
            f"{PHOTOS} photos at once, {WORKERS} workers: {self.taken_s:.1f} s by the clock, "
            f"{self.own_s:.1f} s without others: {self.own_s / self.bare_s:.2f} times the bare "
            f"readers' {self.bare_s:.1f} s (allowed: {MOST_TIMES}); workers had work for "
            f"{self.busy:.0%} of it.\n"
            f"A photo takes the bare reader {self.bare.cpu_s * 1e3:.0f} ms of the processor, "
            f"a worker {theirs * 1e3:.0f} ms, the service {mine * 1e3:.0f} ms; "
            f"phones and watchers took {others:.1f} s.\n"
            f"Health {in_ms(self.seen.health_s)}, an idle process {in_ms(self.seen.echo_s)}; "
            f"news {in_ms(self.seen.news_s)}."
        )


def share(values: Sequence[float], part: float) -> float:
    """The value that this part of them does not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def in_ms(seconds: Sequence[float]) -> str:
    middle, late, most = (share(seconds, part) * 1e3 for part in (0.5, 0.98, 1.0))
    return f"{middle:.1f} ms, 49 of 50 within {late:.0f} ms, at most {most:.0f} ms"


def peak_mb(pid: int) -> float:
    """The most memory that a process ever held."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text("ascii"))
    assert found is not None
    return int(found[1]) / 1024


def at_once(serving: Serving, tables: Sequence[Table], files: Sequence[str]) -> Burst:
    """Everybody sends, while somebody watches."""
    trays = [(table, player) for table in tables for player in PLAYERS]
    sendings = [
        Sending(table.tray(player), table.token, file)
        for (table, player), file in zip(trays, files, strict=True)
    ]
    streams = [(f"/v1/tables/{table.id}/events", table.token) for table in tables[:WATCHED]]
    folder = Path(files[0]).parent
    before = one_reading(files[:20], WORKERS)
    with (
        Phones(serving.url, sendings, folder / "phones.json") as phones,
        Watch(serving.url, streams, folder / "watch.json") as watch,
    ):
        pids = serving.pids()
        begun = [Used.by(pid) for pid in pids]
        sent = phones.send()
        service, *children = (Used.by(pid).since(was) for pid, was in zip(pids, begun, strict=True))
        seen = watch.seen(WATCHED * len(PLAYERS))
    after = one_reading(files[:20], WORKERS)
    bare = OneReading((before.wall_s + after.wall_s) / 2, (before.cpu_s + after.cpu_s) / 2)
    workers = sorted(children, key=lambda child: -child.cpu_s)[:WORKERS]  # others had nothing to do
    return Burst(sent, seen, service, workers, bare)


@pytest.mark.slow
@pytest.mark.alone
def test_eighty_photos_at_once(tmp_path: Path, tell: Callable[[str], None]) -> None:
    shown = photos(PHOTOS, (1024, 768), NAMES)
    files = [tmp_path / f"{number}.jpg" for number in range(PHOTOS)]
    for file, photo in zip(files, shown, strict=True):
        file.write_bytes(photo)
    with Serving(tmp_path / "data", {"WORKERS": str(WORKERS)}) as serving:
        with client(serving.url) as asking:
            tables = [open_table(asking, PLAYERS) for _ in range(TABLES)]
            for photo in shown[: 2 * WORKERS]:  # every worker is warm
                done(asking.post("/v1/readings", files=as_upload(photo)))
        burst = at_once(serving, tables, list(map(str, files)))
        service, *others = (peak_mb(pid) for pid in serving.pids())
        serving.stop()
    tell(f"{burst}\nMemory: {service:.0f} MB, and {max(others):.0f} MB a worker.")
    assert set(burst.sent.statuses) == {201}
    assert burst.own_s <= MOST_TIMES * burst.bare_s
    idle_s = max(burst.seen.echo_s)
    assert share(burst.seen.health_s, 0.98) <= HEALTH_S + idle_s
    assert len(burst.seen.news_s) == WATCHED * len(PLAYERS)
    assert max(burst.seen.news_s) <= NEWS_S + idle_s
    assert service <= SERVICE_MB
    assert max(others) <= PER_WORKER_MB
