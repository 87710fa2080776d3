"""Every screen of a table: fits, can be tapped, is accessible, and is kept as a picture."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.evening import CARDS, Evening
from tests.page.test_access import small_targets, violations
from tests.page.test_start_photos import IN_PLAY, START, hand_over
from tests.page.visit import ARTEFACTS, SIZES, Visit, settle, show

pytestmark = pytest.mark.slow

ANSWERS: dict[tuple[str, Path], dict[str, Any]] = {}
"""What the service said of a table's start photos."""


@dataclass(frozen=True)
class Evenings:
    """A table at each moment of a game."""

    elsewhere: Evening
    fresh: Evening
    starting: Evening
    revealed: Evening
    building: Evening
    collecting: Evening
    judging: Evening
    between: Evening
    disputed: Evening
    finished: Evening
    solo: Evening

    def known(self) -> list[Evening]:
        """Those that the device hosts, all but one."""
        return [evening for evening in vars(self).values() if evening is not self.elsewhere]


def contradicting(service: str) -> Evening:
    evening = Evening(service).opened(cards_per_round=8)
    evening.revealed([*CARDS, "touch:GG", "apart:GG"])
    return evening


def played(service: str, until: Callable[[Evening, int], object]) -> Evening:
    """A table whose second round was played so far."""
    evening = Evening(service).opened()
    evening.locked(CARDS)
    until(evening, evening.revealed())
    return evening


def start_building(evening: Evening, number: int) -> None:
    evening.at(f"/rounds/{number}/hourglass", {"action": "start"})


def in_dispute(service: str) -> Evening:
    evening = Evening(service).opened(edition="de")
    evening.locked(CARDS)
    evening.at("/disputes", {"round": 1, "player": "Ada", "card": CARDS[0]})
    return evening


def between_rounds(service: str) -> Evening:
    evening = Evening(service).opened()
    evening.locked(CARDS)
    return evening


@pytest.fixture(scope="module")
def evenings(service: str) -> Evenings:
    for _ in range(2):
        solo = Evening(service, ("Dora",)).opened().finished()
    return Evenings(
        elsewhere=Evening(service).opened(),
        fresh=Evening(service).opened(),
        starting=Evening(service).opened(),
        revealed=contradicting(service),
        building=played(service, start_building),
        collecting=played(service, Evening.built),
        judging=played(service, Evening.sent_in),
        between=between_rounds(service),
        disputed=in_dispute(service),
        finished=Evening(service).opened().finished(),
        solo=solo,
    )


def at(page: Page, evening: Evening, rest: str, sign: str) -> None:
    """A screen of a table; ``sign`` tells that it is there."""
    show(page, f"/table/{evening.id}{rest}")
    expect(page.locator(sign).first).to_be_visible()


def walk(page: Page, evenings: Evenings) -> Iterator[str]:
    """The names of all screens, each shown when its name comes."""
    yield from beginning(page, evenings)
    yield from start_photos(page, evenings.starting)
    yield from playing(page, evenings)
    yield from afterwards(page, evenings)


def beginning(page: Page, evenings: Evenings) -> Iterator[str]:
    show(page, "/table/new")
    expect(page.locator(".names")).to_be_visible()
    yield "setup"
    show(page, "/join")
    expect(page.locator("#code")).to_be_visible()
    yield "join"
    show(page, f"/join/{evenings.elsewhere.code}")
    expect(page.locator(".seat-choice").first).to_be_visible()
    yield "join-who"
    at(page, evenings.fresh, "", ".qr[src]")
    yield "lobby"
    at(page, evenings.fresh, "/devices", ".rules")
    yield "devices"


def hand_over_once(page: Page, evening: Evening, photo: Path) -> None:
    """Ada's start photo. Measuring takes seconds: in further walks the same is answered again."""
    address = f"**/{evening.id}/players/Ada/tray"
    if (evening.id, photo) in ANSWERS:
        page.route(address, lambda route: route.fulfill(**ANSWERS[evening.id, photo]), times=1)
        hand_over(page, photo)
        return
    with page.expect_response(address) as told:
        hand_over(page, photo)
    ANSWERS[evening.id, photo] = {"status": told.value.status, "json": told.value.json()}


def start_photos(page: Page, evening: Evening) -> Iterator[str]:
    at(page, evening, "/start", ".how")
    yield "start-all"
    at(page, evening, "/start/Ada", "h1:has-text('Ada') ~ .how")
    yield "start"
    hand_over_once(page, evening, IN_PLAY)
    expect(page.locator(".message.unsure")).to_be_visible()
    yield "start-refused"
    hand_over_once(page, evening, START)
    expect(page.locator(".measured .overlay")).to_be_visible()
    yield "start-measured"
    at(page, evening, "", ".start-row .yes")
    yield "lobby-measured"


def playing(page: Page, evenings: Evenings) -> Iterator[str]:
    at(page, evenings.fresh, "/cards", ".kinds")
    yield "tap-in"
    at(page, evenings.revealed, "", ".table-cards")
    yield "revealed"
    at(page, evenings.building, "", ".hourglass")
    yield "build"
    at(page, evenings.collecting, "", ".hands-off")
    yield "collect"
    at(page, evenings.collecting, "/round/2/photo/Ada", ".how")
    yield "tray-photo"
    at(page, evenings.judging, "/round/2/tray/Ada", ".worth")
    yield "tray"
    at(page, evenings.judging, "", ".trial")
    yield "judge"
    page.locator(".strip-card.sum").click()
    expect(page.locator(".sums")).to_be_visible()
    yield "sum"


def afterwards(page: Page, evenings: Evenings) -> Iterator[str]:
    at(page, evenings.between, "", ".seal")
    yield "between"
    at(page, evenings.between, "/score", ".scores")
    yield "score"
    at(page, evenings.between, "/round/1", ".trial")
    page.locator(".flag").first.click()
    expect(page.locator(".sheet")).to_be_visible()
    yield "doubt-it"
    at(page, evenings.disputed, "/dispute/1", ".claims")
    yield "dispute"
    at(page, evenings.finished, "", ".places")
    yield "finished"
    show(page, "/games")
    expect(page.locator(".plot").first).to_be_visible()
    yield "games"


def visited(browser: Browser, service: str, evenings: Evenings, **how: str) -> Visit:
    visit = Visit(browser, service, **how)
    for evening in evenings.known():
        evening.known_to(visit.context)
    return visit


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_serious(
    service: str, browser: Browser, evenings: Evenings, theme: str
) -> None:
    found = {}
    with visited(browser, service, evenings, theme=theme) as visit:
        page = visit.open()
        for name in walk(page, evenings):
            found[name] = violations(page)
        assert visit.complaints == []
    assert {name: rules for name, rules in found.items() if rules} == {}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_screens_fit_and_are_kept_as_pictures(
    service: str, browser: Browser, evenings: Evenings, size: str, language: str
) -> None:
    """Nothing runs off the side; what can be tapped is large enough. Pictures: artefacts/page."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    too_wide, too_small = [], {}
    with visited(browser, service, evenings, size=size, language=language) as visit:
        page = visit.open()
        for name in walk(page, evenings):
            settle(page)
            page.screenshot(path=ARTEFACTS / f"table-{name}-{size}-{language}.png")
            if page.evaluate("document.documentElement.scrollWidth") > SIZES[size][0]:
                too_wide.append(name)
            too_small[name] = small_targets(page)
        assert visit.complaints == []
    assert too_wide == []
    assert {name: targets for name, targets in too_small.items() if targets} == {}
