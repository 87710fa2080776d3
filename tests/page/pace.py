"""Promises in seconds on machines that are noisy: timed in turns with fixed work, best of some.

A promise holds for the reference machine, two cores of 2026 with nothing else to do. What is
measured elsewhere, or while others work there, is divided by how much longer fixed work took in the
same run. Noise only ever adds, so the best of the turns counts, on both sides.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from subprocess import run
from threading import Thread
from time import perf_counter

from PIL import Image
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent.parent
READERS_NICE = 5
"""As in api/workers.py: the service's readers let others go first."""
SLOWER = 4
"""How many times a device's CPU is slower than the machine's, where a slow one is asked for."""
FIXED_PAGE_S = 0.90
FIXED_PICTURES_S = 0.22
"""What fixed work takes the reference machine: the least of about 30 turns, November 2026, Chromium
from Debian 12, while others worked on the machine. Without them it may take less; then promises are
held a little more strictly than they were made, never less so."""
TURNS = 5

_MODULES = 20
_PAGE = '<!doctype html><html lang="en"><title>It never changes</title><body>' + "".join(
    f'<script type="module" src="/{i}.js"></script>' for i in range(_MODULES)
)
_MODULE = """
for (let i = 0; i < 20; i += 1) {
  const row = document.createElement("p");
  row.textContent = `Seat ${i} holds a sphere of colour ${i % 5}`;
  document.body.append(row);
}
let sum = 0;
for (let i = 0; i < 2e4; i += 1) sum = (sum * 1103515245 + 12345 + i) % 2147483648;
document.body.append(Object.assign(document.createElement("output"), { textContent: sum }));
"""
_ALL_RUN = f"output:nth-of-type({_MODULES})"

_READY = """(selector) => new Promise((done) => {
  const look = () => document.querySelector(selector)
    ? requestIdleCallback(() => done(performance.now()))
    : requestAnimationFrame(look);
  look();
})"""


@dataclass(frozen=True)
class Timed:
    """What something took here, and how many times slower this machine is than the reference."""

    seconds: float
    pace: float

    @property
    def there(self) -> float:
        """Seconds that it would have taken on the reference machine."""
        return self.seconds / self.pace

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s ({self.there:.2f} s at the reference's pace, {self.pace:.2f})"


def in_turns(
    measured: Callable[[], float], fixed: Callable[[], float], reference_s: float
) -> Timed:
    """Something timed, in turns with fixed work that takes the reference machine so long.

    A faster machine is held to what is promised, not to more.
    """
    both = [(measured(), fixed()) for _ in range(TURNS)]
    seconds, beside = (min(times) for times in zip(*both, strict=True))
    return Timed(seconds, max(1.0, beside / reference_s))


class _Files(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # nothing waits for more to be sent along with it

    def do_GET(self) -> None:
        kind, body = ("html", _PAGE) if self.path == "/" else ("javascript", _MODULE)
        self.send_response(200)
        self.send_header("Content-Type", f"text/{kind}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Not a word: tests that pass are silent."""


@contextmanager
def fixed_page() -> Iterator[str]:
    """The address of a page that never changes: some modules, some elements, some sums."""
    with ThreadingHTTPServer(("localhost", 0), _Files) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def fixed_page_s(browser: Browser, address: str) -> float:
    """Seconds until the fixed page is there, on a slow device."""
    with browser.new_context(service_workers="block") as context:
        return interactive_s(context.new_page(), address, _ALL_RUN)


def interactive_s(page: Page, address: str, selector: str) -> float:
    """Seconds from the address to a page that shows this and would answer a tap, on a slow device.

    The browser's own clock tells: Playwright's way to wait runs large scripts in the slow page.
    """
    tools = page.context.new_cdp_session(page)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="commit")
    ready = {"expression": f"({_READY})({selector!r})", "awaitPromise": True}
    ms = tools.send("Runtime.evaluate", {**ready, "returnByValue": True})["result"]["value"]
    return float(ms) / 1000


def fixed_pictures_s() -> float:
    """Seconds for fixed work with pictures, in a process as nice to others as readers are."""
    told = run([sys.executable, "-m", "tests.page.pace"], check=True, capture_output=True, cwd=ROOT)
    return float(told.stdout)


def _pictures() -> None:
    """Make a picture; pack, unpack and shrink it."""
    picture = Image.effect_mandelbrot((1600, 1200), (-2, -1.2, 1, 1.2), 40).convert("RGB")
    packed = BytesIO()
    picture.save(packed, "jpeg", quality=90)
    for _ in range(3):
        Image.open(packed).resize((800, 600), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    os.nice(READERS_NICE)
    begun = perf_counter()
    _pictures()
    sys.stdout.write(str(perf_counter() - begun))
