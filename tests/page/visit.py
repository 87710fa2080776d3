"""Visits to the page in a real browser: opened, complaints noted, samples scored."""

import json
import os
import shutil
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Browser, BrowserContext, Page, expect

CHROMIUM = os.environ.get("TRAYSCORE_CHROMIUM") or shutil.which("chromium")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
SIZES = {
    "phone": (360, 640),
    "tablet": (768, 1024),
    "tablet-wide": (1024, 768),
    "laptop": (1366, 768),
    "phone-wide": (740, 360),
}
PATIENCE_MS = 120_000
"""A busy machine takes its time; budgets are measured where they are promised."""
expect.set_options(timeout=PATIENCE_MS)
ARTEFACTS = Path(__file__).parent.parent.parent / "artefacts" / "page"

_EXPECTED = ("Failed to load resource", "Service Worker registration blocked")
"""What browsers write about answers that a test itself brought about."""


class Visit:
    """One person's browser. ``complaints`` collects errors, warnings and broken policies."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        *,
        size: str = "tablet",
        language: str = "en",
        theme: str = "dark",
        **context: Any,
    ) -> None:
        self.address = address
        self.complaints: list[str] = []
        width, height = SIZES[size]
        options = {"service_workers": "block", **context}
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height}, locale=language, **options
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.set_default_navigation_timeout(PATIENCE_MS)
        kept = json.dumps({"settings": {"language": language, "theme": theme}})
        self.context.add_init_script(
            f"localStorage.getItem('trayscore') ?? localStorage.setItem('trayscore', {kept!r})"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def open(self, screen: str = "/") -> Page:
        """A page that shows this screen."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self._note(message.type, message.text))
        page.goto(f"{self.address}#{screen}")
        expect(page.locator("h1")).to_be_attached()
        return page

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not text.startswith(_EXPECTED):
            self.complaints.append(f"{kind}: {text}")


def score_sample(page: Page, name: str = "lamp") -> None:
    """One tap on a sample, until its verdict is there."""
    page.locator(f".sample:has(img[src*={name}])").click()
    expect(page.locator(".verdict-row")).to_have_count(6)


def show(page: Page, screen: str) -> None:
    """Go to another screen of the same visit."""
    page.evaluate("address => { location.hash = address }", screen)
    page.wait_for_function("document.querySelector('main h1') !== null")


def settle(page: Page) -> None:
    """Whatever moves has come to rest, but for what pulses for ever: sheets have risen."""
    page.evaluate(
        """() => Promise.allSettled(
          document.getAnimations()
            .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
            .map((one) => one.finished)
        ).then(() => {})"""
    )
