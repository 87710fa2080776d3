"""The log of refusals: one line per address and minute, however often it asks."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable
from time import monotonic

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from api.limits.callers import client_address
from api.problems import Problem, language_of

MOST_ADDRESSES = 200
"""Addresses named in the log per minute; further ones are counted together."""
MINUTE_S = 60.0
PATIENCE = 20
"""Refusals per minute after which an address waits for each further one."""
PAUSE_S = 1.0

REFUSED = "trayscore.refused"
"""The key in a scope for the code of a refusal."""

_OTHERS = "others"
REFUSALS = "trayscore.refusals"
_log = logging.getLogger(REFUSALS)


class Refusals:
    """Counts refusals by address and reason, and logs each address once a minute."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._counts: OrderedDict[str, tuple[float, Counter[str]]] = OrderedDict()

    def add(self, address: str, code: str) -> None:
        """Count a refusal. The first is logged at once, the others after a minute."""
        self.tell()
        if address not in self._counts and len(self._counts) >= MOST_ADDRESSES:
            address = _OTHERS
        if address not in self._counts:
            self._counts[address] = self._now(), Counter()
            _log.warning("refused", extra={"facts": {"address": address, "code": code}})
        self._counts[address][1][code] += 1

    def pause(self, address: str) -> float:
        """Seconds to delay the next refusal: whoever keeps asking is answered slowly."""
        _, counts = self._counts.get(address, (0.0, Counter[str]()))
        return PAUSE_S if counts.total() > PATIENCE else 0.0

    async def refuse(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the problem, and mark the request as refused for the log."""
        scope[REFUSED] = problem.code
        connection = HTTPConnection(scope)
        await asyncio.sleep(self.pause(client_address(connection)))
        await problem.response(language_of(connection))(scope, receive, send)

    def tell(self) -> None:
        """Log the minutes that have ended."""
        while self._counts:
            address, (since, counts) = next(iter(self._counts.items()))
            if self._now() - since < MINUTE_S:
                return
            del self._counts[address]
            if counts.total() > 1:
                facts = {"address": address, "codes": dict(counts)}
                _log.warning("refused in a minute", extra={"facts": facts})
