"""The solver in processes of its own: it computes with big integers, and meanwhile nobody else can.

The first process starts with the first question, for many evenings need none.
"""

from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from api.limits.callers import Caller
from api.limits.fairness import asking_address
from api.limits.quotas import Most, Quota
from api.limits.turns import Desks
from api.problems import Problem
from api.settings import Settings
from api.workers.pool import QueueFull, QueueLimits, WorkerPool
from api.workers.process import JobFailed, JobLimits
from api.workers.solving import Json, SolutionRefused, Solve, warm_up

_MEMORY_MB = 512
"""Beyond what a solver holds once it is warm; it took 80 MB at most with any six cards."""


class SolverPool:
    """Workers for solutions; they are started when the first question comes."""

    def __init__(self, settings: Settings) -> None:
        self._pool = WorkerPool(
            settings.solvers,
            warm_up,
            JobLimits(settings.solver_timeout_s, _MEMORY_MB),
            QueueLimits(settings.solver_queue, 10**9),
        )
        half = settings.solver_queue // 2
        self._waiting = Quota("questions", Most(settings.solver_queue, half, half, half))
        # One address never has all solvers, so that there is one for whoever asks beside it.
        self._desks = Desks(max(1, settings.solvers - 1))
        self._stack = AsyncExitStack()
        self._runs = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    async def solve(self, question: Json) -> Json:
        """The answer of ``POST /v1/solutions``; raises ``Problem`` if there is none."""
        if not self._runs:
            self._runs = True
            await self._stack.enter_async_context(self._pool)
        address = asking_address.get()
        with self._waiting.claim(Caller(address)):
            await self._desks.take(address)
            try:
                return await self._solved(question)
            finally:
                self._desks.leave(address)

    async def _solved(self, question: Json) -> Json:
        try:
            return await self._pool.run(Solve(question))
        except SolutionRefused as refused:
            raise Problem(422, refused.code, refused.text, errors=refused.errors) from refused
        except (QueueFull, JobFailed) as error:
            text = "Many ask for the best layout right now: please try again in a moment."
            raise Problem(503, "busy", text, headers={"Retry-After": "2"}) from error
