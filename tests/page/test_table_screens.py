"""Every screen of a table: fits, can be tapped, is accessible, and is kept as a picture."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.evening import CARDS, Evening
from tests.page.test_access import small_targets, violations
from tests.page.visit import ARTEFACTS, SIZES, Visit, show

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Evenings:
    """A table at each moment of a game."""

    fresh: Evening
    revealed: Evening
    building: Evening
    collecting: Evening
    judging: Evening
    between: Evening
    disputed: Evening
    finished: Evening
    solo: Evening

    def all(self) -> list[Evening]:
        return list(vars(self).values())


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
        fresh=Evening(service).opened(),
        revealed=contradicting(service),
        building=played(service, start_building),
        collecting=played(service, Evening.built),
        judging=played(service, Evening.sent_in),
        between=between_rounds(service),
        disputed=in_dispute(service),
        finished=Evening(service).opened().finished(),
        solo=solo,
    )


def walk(page: Page, evenings: Evenings) -> Iterator[str]:
    """The names of all screens, each shown when its name comes."""

    def at(evening: Evening, rest: str, sign: str) -> None:
        show(page, f"/table/{evening.id}{rest}")
        expect(page.locator(sign).first).to_be_visible()

    show(page, "/table/new")
    expect(page.locator(".names")).to_be_visible()
    yield "setup"
    show(page, "/table/new/tray")
    expect(page.locator(".how")).to_be_visible()
    yield "measure"
    show(page, f"/join/{evenings.fresh.code}")
    show(page, "/join")
    expect(page.locator("#code")).to_be_visible()
    yield "join"
    at(evenings.fresh, "", ".qr[src]")
    yield "lobby"
    at(evenings.fresh, "/devices", ".rules")
    yield "devices"
    at(evenings.fresh, "/cards", ".kinds")
    yield "tap-in"
    at(evenings.revealed, "", ".table-cards")
    yield "revealed"
    at(evenings.building, "", ".hourglass")
    yield "build"
    at(evenings.collecting, "", ".hands-off")
    yield "collect"
    at(evenings.collecting, "/round/2/photo/Ada", ".how")
    yield "tray-photo"
    at(evenings.judging, "/round/2/tray/Ada", ".worth")
    yield "tray"
    at(evenings.judging, "", ".trial")
    yield "judge"
    page.locator(".strip-card.sum").click()
    expect(page.locator(".sums")).to_be_visible()
    yield "sum"
    at(evenings.between, "", ".seal")
    yield "between"
    at(evenings.between, "/score", ".scores")
    yield "score"
    at(evenings.between, "/round/1", ".trial")
    page.locator(".flag").first.click()
    expect(page.locator(".sheet")).to_be_visible()
    yield "doubt-it"
    at(evenings.disputed, "/dispute/1", ".claims")
    yield "dispute"
    at(evenings.finished, "", ".places")
    yield "finished"
    show(page, "/games")
    expect(page.locator(".plot").first).to_be_visible()
    yield "games"


def visited(browser: Browser, service: str, evenings: Evenings, **how: str) -> Visit:
    visit = Visit(browser, service, **how)
    for evening in evenings.all():
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
            page.wait_for_timeout(250)
            page.screenshot(path=ARTEFACTS / f"table-{name}-{size}-{language}.png")
            if page.evaluate("document.documentElement.scrollWidth") > SIZES[size][0]:
                too_wide.append(name)
            too_small[name] = small_targets(page)
        assert visit.complaints == []
    assert too_wide == []
    assert {name: targets for name, targets in too_small.items() if targets} == {}
