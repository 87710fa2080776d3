"""Rate limits: requests per key, and bytes per address."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

BURST_S = 30.0
"""Seconds' worth of requests that may come at once."""
MOST_BUCKETS = 20_000


class TokenBuckets:
    """Token-bucket rate limiter, one bucket per key."""

    def __init__(
        self, per_minute: float, burst: float | None = None, now: Callable[[], float] = monotonic
    ) -> None:
        self._rate = per_minute / 60
        self._burst = max(1.0, self._rate * BURST_S if burst is None else burst)
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """0 if a request is allowed now, which is then counted; else the seconds to wait."""
        now = self._now()
        left, since = self._buckets.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._rate


class Pace:
    """Byte-rate limiter per address; a few seconds' worth may come at once."""

    def __init__(self, per_s: float, burst_s: float, now: Callable[[], float] = monotonic) -> None:
        self._per_s = per_s
        self._burst_s = burst_s
        self._now = now
        self._paid_until: OrderedDict[str, float] = OrderedDict()

    def delay(self, address: str, amount: int) -> float:
        """Seconds to wait after these bytes before taking more."""
        now = self._now()
        paid = max(self._paid_until.pop(address, 0.0), now - self._burst_s)
        self._paid_until[address] = paid = paid + amount / self._per_s
        if len(self._paid_until) > MOST_BUCKETS:
            self._paid_until.popitem(last=False)
        return max(0.0, paid - now)
