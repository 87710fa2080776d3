"""A real service and a real browser for the page's tests."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, Page, sync_playwright

from tests.page.visit import CHROMIUM, FLAGS, Visit

ROOT = Path(__file__).parent.parent.parent
STARTS_IN_S = 180.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever has a browser runs alone: two of them beside two services wait for each other."""
    for item in items:
        if isinstance(item, pytest.Function) and "chromium" in item.fixturenames:
            item.add_marker("alone")


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service of its own, with an empty data directory.

    ``TRAYSCORE_TEST_SERVICE`` names one that runs already, for trying one test again and again.
    """
    if running := os.environ.get("TRAYSCORE_TEST_SERVICE"):
        yield running
        return
    with serving(tmp_path_factory.mktemp("data"), free_port()) as address:
        yield address


@contextmanager
def serving(data: Path, port: int) -> Iterator[str]:
    """The address of a service on this data directory, stopped afterwards."""
    command = [sys.executable, "-m", "tests.page.serve", str(port), str(data)]
    with subprocess.Popen(command, cwd=ROOT) as process:
        address = f"http://localhost:{port}/"
        try:
            _await(address + "v1/health", process)
            yield address
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def chromium() -> Iterator[BrowserType]:
    """What launches Chromium, or a loud skip where there is none."""
    if CHROMIUM is None:
        pytest.skip("NO BROWSER: install Debian's chromium, or nobody tests the page.")
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    """A browser without a camera."""
    browser = chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def visit(service: str, browser: Browser) -> Iterator[Visit]:
    """A first visit to the page; it fails if the page complained about anything."""
    with Visit(browser, service) as visit:
        yield visit
        assert visit.complaints == []


@pytest.fixture
def page(visit: Visit) -> Page:
    """The page as a newcomer finds it."""
    return visit.open()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


def _await(address: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + STARTS_IN_S
    while True:
        assert process.poll() is None, "the service stopped"
        try:
            with urllib.request.urlopen(address) as answer:
                if answer.status == 200:
                    return
        except OSError:
            assert time.monotonic() < deadline, "the service does not start"
            time.sleep(0.2)
