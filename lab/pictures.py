"""Makes the README's pictures: ``make pictures``, with Debian's chromium.

Starts a service of its own, opens the page as a newcomer would, and saves what it shows.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
PORT = 8765
TABLET = {"width": 1180, "height": 820}
PLAYERS = ("Ada", "Ben", "Cleo")
PATIENCE_MS = 60_000


def main() -> None:
    """Take all pictures."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("lab.pictures needs a browser: apt-get install chromium")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=TABLET, locale="en")  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE_MS)
        show_verdict(page, address)
        show_cards(page, address)
        browser.close()


@contextmanager
def served() -> Iterator[str]:
    """The address of a service with an empty data directory."""
    with TemporaryDirectory() as directory:
        command = [sys.executable, "-m", "api.cli", "serve", "--port", str(PORT)]
        command += ["--host", "127.0.0.1", "--data", directory]
        quiet = {**os.environ, "TRAYSCORE_LOG_LEVEL": "error"}
        with subprocess.Popen(command, env=quiet, stdout=subprocess.PIPE) as service:
            try:
                assert service.stdout is not None
                service.stdout.readline()  # it says where it listens once it does
                yield f"http://127.0.0.1:{PORT}/"
            finally:
                service.terminate()


def show_verdict(page: Page, address: str) -> None:
    """A photo and its verdict: a sample of which one card failed."""
    page.goto(address)
    page.locator(".sample:has(img[src*=lamp])").click()
    page.locator(".verdict-row").nth(5).wait_for()
    save(page, "verdict")


def show_cards(page: Page, address: str) -> None:
    """The six cards of a round, as everybody at the table sees them."""
    page.goto(f"{address}#/table/new")
    page.get_by_role("button", name="One more").click()
    for place, name in enumerate(PLAYERS):
        page.locator(".names input").nth(place).fill(name)
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Draw 6 cards").click()
    page.locator(".table-cards .card").nth(5).wait_for()
    save(page, "cards")


def save(page: Page, name: str) -> None:
    """Keep what the page shows once pictures are loaded and nothing moves in."""
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=82)


if __name__ == "__main__":
    main()
