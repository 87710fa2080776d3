"""Quotas: how much may be in use at once, in all, per address and per token."""

from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from api.limits.callers import Caller
from api.problems import Problem
from api.settings import Settings


@dataclass(frozen=True)
class Most:
    """The limits of a quota."""

    in_all: int
    per_address: int
    per_token: int
    without_token: int
    """The limit for all callers of an address without a known token."""

    @classmethod
    def of(cls, in_all: int, per_address: int, per_token: int) -> Self:
        """The limits; half of an address's share is reserved for callers with a known token."""
        return cls(in_all, per_address, per_token, max(1, per_address // 2))


@dataclass
class Quota:
    """How much is in use, and by whom."""

    name: str
    """What is counted, as refusals call it."""
    most: Most
    _taken: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def taken(self) -> int:
        """How much is in use in all."""
        return self._taken["all", ""]

    def claim(self, caller: Caller, amount: int = 1) -> "Claim":
        """A claim on this amount until it is released; raises ``Problem`` if too little is left."""
        claim = Claim(self, caller)
        claim.grow(amount)
        return claim

    def take(self, caller: Caller, amount: int) -> None:
        """Take this amount; raises ``Problem``, and takes nothing, if too little is left."""
        for key, most in self._accounts(caller):
            if self._taken[key] + amount > most:
                raise self._refusal(key[0])
        for key, _ in self._accounts(caller):
            self._taken[key] += amount

    def give_back(self, caller: Caller, amount: int) -> None:
        """Give back what was taken."""
        for key, _ in self._accounts(caller):
            self._taken[key] -= amount
            if not self._taken[key]:
                del self._taken[key]

    def _accounts(self, caller: Caller) -> list[tuple[tuple[str, str], int]]:
        """The accounts that a claim counts against, each with its limit."""
        own = (
            (("without token", caller.address), self.most.without_token)
            if caller.token is None
            else (("token", caller.token), self.most.per_token)
        )
        address = ("address", caller.address), self.most.per_address
        return [(("all", ""), self.most.in_all), address, own]

    def _refusal(self, whose: str) -> Problem:
        later = {"Retry-After": "2"}
        if whose == "all":
            text = f"Too many {self.name} at once. Please try again in a moment."
            return Problem(503, "busy", text, headers=later)
        where = "with this token" if whose == "token" else "from your address"
        text = f"Too many {self.name} at once {where}. Please try again in a moment."
        return Problem(429, "too_many_at_once", text, headers=later)


@dataclass
class Claim:
    """A caller's part of a quota. It can grow, and is given back as a whole."""

    _quota: Quota
    _caller: Caller
    _amount: int = 0

    def grow(self, amount: int) -> None:
        """Take more; raises ``Problem`` if too little is left."""
        self._quota.take(self._caller, amount)
        self._amount += amount

    def grow_to(self, amount: int) -> None:
        """Grow to this amount in all; raises ``Problem`` if too little is left."""
        if amount > self._amount:
            self.grow(amount - self._amount)

    def release(self) -> None:
        """Give it back."""
        self._quota.give_back(self._caller, self._amount)
        self._amount = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


class Memory(Quota):
    """Memory for bodies, in bytes: a refusal says that the service is busy."""

    def _refusal(self, whose: str) -> Problem:  # noqa: ARG002 - the same for all
        text = "Many photos are being sent. Please try again in a few seconds."
        return Problem(503, "busy", text, headers={"Retry-After": "5"})


class Quotas:
    """All quotas of the service."""

    def __init__(self, settings: Settings) -> None:
        self.requests = Quota(
            "requests",
            Most.of(settings.requests, settings.requests_per_address, settings.requests_per_token),
        )
        self.streams = Quota(
            "event streams",
            Most.of(settings.streams, settings.streams_per_address, settings.streams_per_token),
        )
        self.cameras = Quota(
            "live cameras",
            Most.of(settings.live_connections, settings.live_per_address, settings.live_per_token),
        )
        in_all, share = (  # the largest upload always fits if there is no other
            int(max(mb, settings.upload_mb) * 1e6)
            for mb in (settings.uploads_mb, settings.uploads_mb_per_address)
        )
        self.memory = Memory("bytes", Most(in_all, share, share, share))
