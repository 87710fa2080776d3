"""How fast a machine is today: fixed work, timed beside what is promised in seconds.

Promises are made for the reference machine (two cores of 2026, nothing else running). Elsewhere, or
while others work on it, what was measured is divided by the pace that such fixed work had there.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Thread

from PIL import Image
from playwright.sync_api import BrowserContext, Page

MODULES = 20
PAGE = (
    '<!doctype html><html lang="en"><title>A page that never changes</title><body>'
    + "".join(f'<link rel="modulepreload" href="/m{i}.js">' for i in range(MODULES))
    + '<script type="module" src="/main.js"></script>'
)
MODULE = "export const words = (n) => `seat ${n} holds a sphere of colour ${n % 5}`;\n" * 1
MAIN = (
    "\n".join(f'import {{ words as w{i} }} from "/m{i}.js";' for i in range(MODULES))
    + f"\nconst all = [{', '.join(f'w{i}' for i in range(MODULES))}];"
    + """
for (let i = 0; i < 100; i += 1) {
  const row = document.createElement("p");
  row.textContent = all[i % all.length](i);
  document.body.append(row);
}
let sum = 0;
for (let i = 0; i < 2e6; i += 1) sum = (sum * 1103515245 + 12345 + i) % 2147483648;
document.body.append(Object.assign(document.createElement("output"), { textContent: sum }));
"""
)

_READY = """(selector) => new Promise((done) => {
  const look = () => document.querySelector(selector)
    ? requestIdleCallback(() => done(performance.now()))
    : requestAnimationFrame(look);
  look();
})"""


class _Files(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        scripts = {"/main.js": MAIN, "/": PAGE}
        body = scripts.get(self.path, MODULE).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "text/javascript")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Not a word: tests that pass are silent."""


@contextmanager
def fixed_page() -> Iterator[str]:
    """The address of a page that never changes: some modules, some elements, some sums."""
    with ThreadingHTTPServer(("localhost", 0), _Files) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def interactive_s(context: BrowserContext, address: str, selector: str, slower: float) -> float:
    """Seconds from the address to a page that shows this and would answer a tap, CPU slowed down.

    The browser's own clock tells: Playwright's way to wait runs large scripts in the slow page.
    """
    page: Page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address, wait_until="commit")
    ready = {"expression": f"({_READY})({selector!r})", "awaitPromise": True}
    ms = tools.send("Runtime.evaluate", {**ready, "returnByValue": True})["result"]["value"]
    page.close()
    return float(ms) / 1000


def picture_work_s() -> float:
    """Seconds for fixed work with pictures on one core: pack, unpack and shrink."""
    begun = time.perf_counter()
    picture = Image.effect_mandelbrot((1600, 1200), (-2, -1.2, 1, 1.2), 40).convert("RGB")
    packed = BytesIO()
    picture.save(packed, "jpeg", quality=90)
    for _ in range(3):
        Image.open(packed).resize((800, 600), Image.Resampling.LANCZOS)
    return time.perf_counter() - begun
