"""Of many requests at once each goes a step only, and then others may."""

import asyncio
from collections.abc import Callable

from api.turns import Turns


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
