"""Two trays before the camera, one after the other: each is photographed by itself, for its player.

The camera shows a film of the lab. The tray that was read last still lies before it when the next
player's is wanted; it must not be taken for that one.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, expect

from rules.dimension.layout import Layout
from tests.page.evening import CARDS, Evening
from tests.page.films import filmed, reel, truth
from tests.page.test_live import before_camera
from tests.page.visit import Visit

pytestmark = pytest.mark.slow

SEEDS = (3, 5)
PATIENCE = 240_000


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Directories with the frames of two trays, and their truth."""
    return [filmed(seed, tmp_path_factory.mktemp(f"tray-{seed}")) for seed in SEEDS]


@pytest.fixture(scope="module")
def camera(
    chromium: BrowserType, films: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """A browser whose camera looks at one tray for a while, then at the other."""
    path = tmp_path_factory.mktemp("film") / "trays.mjpeg"
    browser = before_camera(chromium, reel(path, *films))
    yield browser
    browser.close()


def test_each_tray_is_taken_for_its_own_player(
    service: str, camera: Browser, films: list[Path]
) -> None:
    evening = Evening(service, ("Ada", "Ben")).opened(tray="disc")
    evening.built(evening.revealed(CARDS))
    with Visit(camera, service) as visit:
        evening.known_to(visit.context)
        page = visit.open(f"/table/{evening.id}/round/1/photo/Ada")
        expect(page.locator("h1")).to_have_text("Ben’s tray", timeout=PATIENCE)
        expect(page.locator(".trial")).to_be_visible(timeout=PATIENCE)
        expect(page.locator(".trial .overlay image")).to_be_visible()
        assert visit.complaints == []
    trays = evening.ask("GET", f"v1/tables/{evening.id}")["rounds"][0]["trays"]
    read = [Layout.parse(trays[player]["layout"]) for player in ("Ada", "Ben")]
    shown = [truth(out) for out in films]
    assert any(a.same_as(read[0]) and b.same_as(read[1]) for a, b in (shown, shown[::-1]))
