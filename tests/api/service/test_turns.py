"""Of many requests at once each goes a step only, and then others may."""

import asyncio
from collections.abc import Callable

from api.limits.fairness import FairQueue, Lines, asking_address
from api.limits.turns import Desks, Turns


async def rounds(turns: Turns, callers: int) -> tuple[list[int], list[int]]:
    """In which round of the event loop each caller had its turn, and in which somebody else."""
    loop, now = asyncio.get_running_loop(), 0
    taken, others = list[int](), list[int]()

    def count() -> None:
        nonlocal now
        now += 1
        others.append(now)
        if len(taken) < callers:
            loop.call_soon(count)

    async def call() -> None:
        await turns.take()
        taken.append(now)

    loop.call_soon(count)
    await asyncio.gather(*(call() for _ in range(callers)))
    return taken, others


def test_one_goes_on_in_each_round_and_everybody_else_meanwhile() -> None:
    taken, others = asyncio.run(rounds(Turns(), 80))
    assert len(set(taken)) == 80
    assert len(others) >= 80


def waiting(turns: Turns, names: str, done: Callable[[str], None]) -> list[asyncio.Task[None]]:
    async def call(name: str) -> None:
        await turns.take()
        done(name)

    return [asyncio.create_task(call(name)) for name in names]


def test_first_come_first_served_and_who_has_gone_holds_nobody_up() -> None:
    came: list[str] = []

    async def play() -> None:
        turns = Turns()
        tasks = waiting(turns, "abcde", came.append)
        await asyncio.sleep(0)
        for gone in (tasks[0], tasks[2], tasks[4]):
            gone.cancel()
        await asyncio.wait(tasks)
        await asyncio.wait(waiting(turns, "fg", came.append))

    asyncio.run(asyncio.wait_for(play(), 20))
    assert came == ["b", "d", "f", "g"]


def test_addresses_take_turns_however_many_wait_of_one() -> None:
    lines: Lines[str] = Lines()
    for address, item in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1")]:
        lines.append(address, item)
    assert (len(lines), lines.length_of("a"), lines.length_of("z")) == (5, 3, 0)
    assert [lines.popleft() for _ in range(5)] == ["a1", "b1", "c1", "a2", "a3"]


def test_jobs_are_served_by_turns_of_those_who_ask() -> None:
    async def play() -> list[str]:
        queue: FairQueue[str] = FairQueue()
        for address, job in [("a", "a1"), ("a", "a2"), ("b", "b1")]:
            asking_address.set(address)
            queue.put_nowait(job)
        assert (queue.qsize(), queue.empty(), queue.length_of("a")) == (3, False, 2)
        return [await queue.get() for _ in range(3)]

    assert asyncio.run(play()) == ["a1", "b1", "a2"]


def test_an_address_has_only_so_many_places_at_a_time() -> None:
    at_work: list[str] = []

    async def work(desks: Desks, address: str, seconds: float = 0.05) -> None:
        await desks.take(address)
        at_work.append(address)
        await asyncio.sleep(seconds)
        desks.leave(address)

    async def play() -> None:
        desks = Desks(2)
        tasks = [asyncio.create_task(work(desks, "a")) for _ in range(5)]
        tasks.append(asyncio.create_task(work(desks, "b")))
        await asyncio.sleep(0.01)
        assert at_work == ["a", "a", "b"]
        tasks[2].cancel()  # who goes while waiting takes no place
        await asyncio.wait(tasks)
        assert at_work == ["a", "a", "b", "a", "a"]
        assert not desks._desks

    asyncio.run(asyncio.wait_for(play(), 20))
