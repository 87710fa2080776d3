"""The log of what was refused: a line per address and minute, however much it asks."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable
from time import monotonic

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from api.limits.callers import client_address
from api.problems import Problem

MOST_ADDRESSES = 200
"""Addresses named in the log a minute; should there be more, they are told together."""
MINUTE_S = 60.0
PATIENCE = 20
"""After so many refusals in a minute, an address has to wait for the next."""
PAUSE_S = 1.0

REFUSED = "trayscore.refused"
"""Where in a scope it stands by which code a request was refused."""

_OTHERS = "others"
REFUSALS = "trayscore.refusals"
_log = logging.getLogger(REFUSALS)


class Refusals:
    """Counts refusals by address and reason, and logs each address once a minute."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._counts: OrderedDict[str, tuple[float, Counter[str]]] = OrderedDict()

    def add(self, address: str, code: str) -> None:
        """Somebody was refused. The first time is logged at once, the others a minute later."""
        self.tell()
        if address not in self._counts and len(self._counts) >= MOST_ADDRESSES:
            address = _OTHERS
        if address not in self._counts:
            self._counts[address] = self._now(), Counter()
            _log.warning("refused", extra={"facts": {"address": address, "code": code}})
        self._counts[address][1][code] += 1

    def pause(self, address: str) -> float:
        """How long the next refusal should take: those who ask on and on are told so slowly."""
        _, counts = self._counts.get(address, (0.0, Counter[str]()))
        return PAUSE_S if counts.total() > PATIENCE else 0.0

    async def refuse(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        """Say so, and have it counted where requests are logged."""
        scope[REFUSED] = problem.code
        await asyncio.sleep(self.pause(client_address(HTTPConnection(scope))))
        await problem.response()(scope, receive, send)

    def tell(self) -> None:
        """Log the minutes that are over."""
        while self._counts:
            address, (since, counts) = next(iter(self._counts.items()))
            if self._now() - since < MINUTE_S:
                return
            del self._counts[address]
            if counts.total() > 1:
                facts = {"address": address, "codes": dict(counts)}
                _log.warning("refused in a minute", extra={"facts": facts})
