"""What people do at a table, on the page: open it, join it, build, send trays in, look at cards."""

import re

from playwright.sync_api import Page, expect

from tests.page.words import said

SHORTEST_S = 15
"""Seconds of the shortest hourglass."""
SOON = 60_000
"""Milliseconds that a slow machine may take; devices are held to a second by tests of their own."""


def open_table(page: Page, *names: str) -> str:
    """A new table of these players with the shortest hourglass; its code."""
    for place, name in enumerate(names):
        page.locator(".names input").nth(place).fill(name)
    for _ in range(3):
        page.get_by_role("button", name=said(page, "setup.shorter")).click()
    page.get_by_role("button", name=said(page, "setup.open")).click()
    expect(page.locator(".qr[src]")).to_be_visible(timeout=SOON)
    return re.sub(r"\s", "", page.locator(".code").inner_text())


def join(page: Page, player: str) -> None:
    """Sit down; the page shows who can."""
    page.locator(".seat-choice", has_text=player).click()
    expect(page.locator(".roster")).to_contain_text(said(page, "roster.you"), timeout=SOON)


def put(page: Page, seat: str, letter: str) -> None:
    """Two taps: the seat, the colour."""
    page.locator(f".layout [data-seat={seat}]").click()
    page.locator(f".choice[data-letter='{letter}']").click()
    expect(page.locator(".sheet")).to_have_count(0)


def enter_by_hand(page: Page, player: str, **spheres: str) -> None:
    """A player's tray, tapped in, from the screen that collects them."""
    row = page.locator(".tray-row", has_text=player)
    row.get_by_role("link", name=said(page, "collect.photo")).click()
    by_hand(page)
    for seat, letter in spheres.items():
        put(page, seat, letter)
    confirm(page)


def by_hand(page: Page) -> None:
    """Rather than a photo, taps."""
    page.get_by_role("button", name=said(page, "capture.byHand")).click()


def confirm(page: Page) -> None:
    """It is so; the service agrees."""
    expect(page.locator(".worth")).to_be_visible(timeout=SOON)
    page.get_by_role("button", name=said(page, "tray.right")).click()
    expect(page.locator(".worth")).to_have_count(0, timeout=SOON)


def to_table(page: Page) -> None:
    """Back to what is to be done now."""
    page.evaluate("location.hash = location.hash.split('/').slice(0, 3).join('/')")
    expect(page.locator(".table-bar")).to_be_visible(timeout=SOON)


def turn_hourglass(page: Page) -> None:
    """Everybody builds."""
    page.get_by_role("button", name=said(page, "revealed.turn", n=SHORTEST_S)).click()


def turn_and_stop_hourglass(page: Page) -> None:
    """A round in which everybody is done at once."""
    turn_hourglass(page)
    page.get_by_role("button", name=said(page, "build.stop")).click()
    expect(page.locator(".hands-off")).to_be_visible(timeout=SOON)


def draw_cards(page: Page) -> list[str]:
    """The names of the cards that were drawn."""
    page.get_by_role("button", name=said(page, "reveal.draw", n=6)).click()
    expect(page.locator(".table-cards .card")).to_have_count(6, timeout=SOON)
    return page.locator(".table-cards figcaption").all_inner_texts()


def to_sum(page: Page) -> None:
    """Past all cards to the sum."""
    page.locator(".strip-card.sum").click(timeout=SOON)
    expect(page.locator(".sums")).to_be_visible()


def lock(page: Page) -> list[str]:
    """The six words under which the round is locked."""
    to_sum(page)
    page.get_by_role("button", name=said(page, "sum.lock")).click()
    return sealed(page)


def sealed(page: Page) -> list[str]:
    """The six words that a device shows."""
    words = page.locator(".seal .words span")
    expect(words).to_have_count(6, timeout=SOON)
    return words.all_inner_texts()


def totals(page: Page) -> list[int]:
    """The last column of the score."""
    texts = page.locator(".scores .total").all_inner_texts()
    return [int(text.replace("−", "-")) for text in texts]
