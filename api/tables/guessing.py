"""Wrong join codes are counted, so that nobody finds a table by trying codes.

Thirty devices behind one address still join their table: codes of tables that were opened or joined
from there pass, whatever else comes from it. When very many wrong codes come from everywhere, only
networks that have just sent a wrong one wait; whoever types the right code at once always gets in.
All of this is kept in memory: a restart forgives.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from math import ceil
from threading import Lock
from typing import TypeVar

from api.problems import Problem

T = TypeVar("T")

WINDOW_S = 600.0
MOST_FROM_ADDRESS = 30
"""Wrong codes that an address may send within the window."""
MOST_STUBBORN = 300
"""After so many even the codes it knows are not looked at: they could be found out this way."""
MOST_IN_ALL = 600
"""Wrong codes from all addresses; with 1,000 tables open, one in about 250 such windows hits."""
KNOWN_S = 12 * 3600.0
"""How long an address is remembered for a table that was opened or joined from it."""
_MOST_KNOWN = 64
_MOST_KEPT = 20_000


@dataclass
class CodeGuesses:
    """Who has sent wrong codes lately, and who has sent right ones."""

    _wrong: "OrderedDict[str, deque[float]]" = field(default_factory=OrderedDict)
    """By address and by network; tries that were refused count for the address, too."""
    _all: "deque[float]" = field(default_factory=lambda: deque(maxlen=MOST_IN_ALL))
    _known: "OrderedDict[str, OrderedDict[str, float]]" = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def look(self, address: str, code: str, now: float, find: Callable[[], T | None]) -> T | None:
        """What ``find`` finds by the code. The try is counted first; a right one is taken back.

        Raises ``Problem`` if the address has to wait, without looking.
        """
        with self._lock:
            self._refuse(address, code, now)
            self._count(address, now)
        found = find()
        if found is not None:
            with self._lock:
                self._take_back(address, now)
                self._welcome(address, code, now)
        return found

    def opened(self, address: str, code: str, now: float) -> None:
        """A table with this code was opened from this address."""
        with self._lock:
            self._welcome(address, code, now)

    def _refuse(self, address: str, code: str, now: float) -> None:
        mine = self._recent(address, now)
        if len(mine) < MOST_STUBBORN and self._knows(address, code, now):
            return
        wait = 0.0
        if len(mine) >= MOST_FROM_ADDRESS:
            wait = mine[-MOST_FROM_ADDRESS] + WINDOW_S - now
            mine.append(now)
        elif self._everywhere(now) and not self._known.get(address):
            near = self._recent(_network(address), now)
            wait = max(1.0, self._all[0] + WINDOW_S - now) if near else 0.0
        if wait > 0:
            later = str(ceil(wait))
            text = f"Too many wrong codes. Check the code, and try again in {later} s."
            raise Problem(429, "codes_rest", text, headers={"Retry-After": later})

    def _everywhere(self, now: float) -> bool:
        """Whether as many wrong codes came from all addresses as may come."""
        return len(self._all) == MOST_IN_ALL and self._all[0] > now - WINDOW_S

    def _count(self, address: str, now: float) -> None:
        self._recent(address, now).append(now)
        self._recent(_network(address), now).append(now)
        self._all.append(now)

    def _take_back(self, address: str, now: float) -> None:
        for times in (self._recent(address, now), self._recent(_network(address), now), self._all):
            if now in times:
                times.remove(now)

    def _recent(self, key: str, now: float) -> "deque[float]":
        times = self._wrong.pop(key, None) or deque(maxlen=MOST_STUBBORN)
        while times and times[0] <= now - WINDOW_S:
            times.popleft()
        self._wrong[key] = times
        while len(self._wrong) > _MOST_KEPT:
            self._wrong.popitem(last=False)
        return times

    def _knows(self, address: str, code: str, now: float) -> bool:
        codes = self._known.get(address)
        return codes is not None and codes.get(code, 0.0) > now - KNOWN_S

    def _welcome(self, address: str, code: str, now: float) -> None:
        codes = self._known.pop(address, None) or OrderedDict()
        codes.pop(code, None)
        codes[code] = now
        while len(codes) > _MOST_KNOWN or next(iter(codes.values())) <= now - KNOWN_S:
            codes.popitem(last=False)
        self._known[address] = codes
        while len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)


def _network(address: str) -> str:
    """The network around an address: an attacker has many addresses, but fewer networks.

    ``client_address`` gives an IPv4 address, or the first four groups of an IPv6 one.
    """
    try:
        given = ip_address(address if "." in address else f"{address}::")
    except ValueError:
        return f"network of {address}"
    return str(ip_network(f"{given}/{24 if given.version == 4 else 48}", strict=False))
