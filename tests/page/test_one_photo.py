"""Scoring one photo, as a person does it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from rules.dimension.cards import standard_deck
from tests.page.visit import Visit, score_sample, show

pytestmark = pytest.mark.slow

KEPT = "caches.open('trayscore-page').then((cache) => cache.keys())"
SAMPLES = Path(__file__).parent.parent.parent / "sample_images"


def points(page: Page) -> int:
    return int(page.locator(".points .big b").inner_text())


def seat(page: Page, name: str) -> str:
    """What the drawing says lies on a seat."""
    label = page.locator(f"[data-seat={name}]").get_attribute("aria-label") or ""
    return label.split(": ")[1].split(",")[0]


def put(page: Page, name: str, letter: str) -> None:
    page.locator(f"[data-seat={name}]").click()
    page.locator(f".choice[data-letter='{letter}']").click()
    expect(page.locator(".sheet")).to_have_count(0)


def pick(page: Page, card: str) -> None:
    """Two taps: the kind, the card."""
    kind, _, _ = card.partition(":")
    page.locator(f"[data-kind={kind}]").click()
    page.locator(f"[data-card='{card}']").click()


def test_a_newcomer_scores_a_sample_with_one_tap(page: Page) -> None:
    score_sample(page, "bright")
    assert points(page) == 8
    expect(page.locator(".verdict-row.fulfilled")).to_have_count(6)
    expect(page.locator(".points")).to_contain_text("1 bonus token")


def test_a_failed_card_says_why_and_its_spheres_pulse(page: Page) -> None:
    score_sample(page, "lamp")
    assert points(page) == 9
    failed = page.locator(".verdict-row.failed")
    expect(failed).to_have_count(1)
    expect(failed).to_have_attribute("aria-current", "true")
    expect(failed.locator(".reason")).to_contain_text("green")
    assert page.locator(".overlay .pulsing").count() == 2
    assert page.locator(".drawing .pulsing").count() == 2
    page.locator(".verdict-row.fulfilled").first.click()
    expect(page.locator(".pulsing")).to_have_count(0)


def test_corrections_show_at_once_what_they_do_to_the_score(page: Page) -> None:
    score_sample(page, "lamp")
    show(page, "/photo/reading")
    expect(page.locator(".worth b")).to_have_text("9")
    assert seat(page, "A") == "black"
    put(page, "A", ".")
    expect(page.locator(".worth b")).to_have_text("8")
    assert seat(page, "A") == "empty"
    put(page, "C", ".")  # now level two has nothing to rest on
    expect(page.locator(".problems")).to_contain_text("T0")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".worth b")).to_have_text("9")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def in_doubt(route: Route) -> None:
    """The service's reading, made unsure whether R4 is orange or green."""
    answer = route.fetch()
    reading = answer.json()["readings"][0]
    read = reading["layout"]
    assert read[5] == "O"
    reading.update(status="uncertain", confidence=0.6)
    reading["seats"]["R4"].update(p=0.6, visible=0.05)
    reading["alternatives"] = [{"layout": f"{read[:5]}G{read[6:]}", "p": 0.39}]
    route.fulfill(response=answer, json={"readings": [reading]})


def test_doubtful_spheres_stand_out_and_what_is_likely_comes_first(page: Page) -> None:
    page.route("**/v1/readings", in_doubt)
    score_sample(page, "pyramid")
    expect(page.locator(".doubt")).to_contain_text("R4")
    expect(page.locator(".doubt li")).to_have_count(2)
    show(page, "/photo/reading")
    expect(page.locator("[data-seat=R4] .ring.doubtful")).to_be_attached()
    expect(page.locator(".ring.doubtful")).to_have_count(2)  # on the photo and on the drawing
    page.locator("[data-seat=R4]").click()
    letters = [choice.get_attribute("data-letter") for choice in page.locator(".choice").all()]
    assert letters[:2] == ["O", "G"]
    assert set(letters) == set("OBGKW.")
    assert len(letters) == 6
    expect(page.locator(".choice", has_text="likely")).to_have_count(2)


@pytest.mark.parametrize("card", ["touch:BK", "apart:WW", "exactly:2G", "more:OK", "notabove:W"])
def test_any_card_is_found_in_two_taps(page: Page, card: str) -> None:
    show(page, "/photo/cards")
    pick(page, card)
    expect(page.locator(".chosen-card")).to_have_count(1)


def test_all_sixty_cards_can_be_picked(page: Page) -> None:
    show(page, "/photo/cards")
    found = []
    for kind in {str(card.kind) for card in standard_deck().cards}:
        page.locator(f"[data-kind={kind}]").click()
        found += [card.get_attribute("data-card") for card in page.locator(".pick").all()]
        page.get_by_role("button", name="Back to the kinds").click()
    assert sorted(map(str, found)) == sorted(map(str, standard_deck().cards))


def test_contradictions_are_marked(page: Page) -> None:
    show(page, "/photo/cards")
    for card in ("exactly:1B", "exactly:1K", "touch:BK", "apart:BK"):
        pick(page, card)
    expect(page.locator(".card.contradicts")).to_have_count(4)
    expect(page.locator(".message.unsure")).to_contain_text("Blue meets black")
    page.locator(".chosen-card").last.click()
    expect(page.locator(".card.contradicts")).to_have_count(0)


def test_own_photo_then_cards_then_verdict_then_what_was_possible(page: Page) -> None:
    show(page, "/photo")
    page.locator("input[type=file]").first.set_input_files(SAMPLES / "01211.jpg")
    expect(page.locator(".review")).to_be_visible()
    page.get_by_role("link", name="Choose the cards").click()
    pick(page, "exactly:2O")
    page.get_by_role("link", name="To the verdict").click()
    expect(page.locator(".points .big b")).to_have_text("7")
    page.get_by_role("button", name="What was possible?").click()
    expect(page.locator(".best")).to_contain_text("11")


def test_two_angles_are_read_together(page: Page) -> None:
    show(page, "/photo")
    page.locator("input[type=file]").first.set_input_files(SAMPLES / "02200-a.jpg")
    expect(page.locator(".review")).to_be_visible()
    with page.expect_response("**/v1/readings") as answer:
        page.get_by_role("link", name="Another angle").click()
        page.locator("input[type=file]").first.set_input_files(SAMPLES / "02200-b.jpg")
    (reading,) = answer.value.json()["readings"]
    assert len(reading["photo"]) == 2
    expect(page.locator(".review")).to_be_visible()


def test_no_tray_is_said_and_the_layout_can_be_tapped_in(page: Page) -> None:
    show(page, "/photo")
    page.locator("input[type=file]").first.set_input_files(SAMPLES / "02300.jpg")
    expect(page.get_by_role("alert").filter(has_text="No tray")).to_be_visible()
    expect(page.locator(".overlay image")).to_be_visible()
    page.get_by_role("button", name="Enter by hand").click()
    put(page, "C", "O")
    assert seat(page, "C") == "orange"


def test_a_file_that_is_no_photo_is_refused_in_words(page: Page, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff\xe0 nothing more")
    show(page, "/photo")
    page.locator("input[type=file]").first.set_input_files(broken)
    expect(page.locator(".message.unsure")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("undefined")


def test_a_lost_connection_is_said_and_the_photo_is_sent_again(page: Page) -> None:
    away = {"on": True}

    def cut(route: Route) -> None:
        route.abort() if away["on"] else route.continue_()

    page.route(re.compile(r"/v1/(readings|health)"), cut)
    page.locator(".sample").first.click()
    expect(page.locator(".banner")).to_contain_text("No connection")
    away["on"] = False
    expect(page.locator(".verdict-row")).to_have_count(6)
    expect(page.locator(".banner p")).to_have_count(0)


def test_everything_works_by_keyboard(page: Page) -> None:
    page.locator(".sample").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict-row")).to_have_count(6)
    expect(page.locator("h1")).to_be_focused()
    show(page, "/photo/reading")
    page.locator("[data-seat=R2]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".sheet")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.locator("[data-seat=R2]")).to_be_focused()


def test_cards_and_settings_outlive_a_reload(page: Page) -> None:
    show(page, "/photo/cards")
    pick(page, "sum4:WO")
    page.get_by_role("button", name="Deutsch").click()
    page.reload()
    expect(page.locator(".chosen-card")).to_have_count(1)
    expect(page.locator("h1")).to_have_text("Welche Karten liegen aus?")


def test_german(service: str, browser: Browser) -> None:
    with Visit(browser, service, language="de") as visit:
        page = visit.open()
        expect(page.locator("h1")).to_have_text("Wer hat wie viel?")
        score_sample(page)
        expect(page.locator(".verdict-row.failed")).to_contain_text("Nein.")
        expect(page.locator(".verdict-row.failed .reason")).to_contain_text("grüne")
        assert page.locator("html").get_attribute("lang") == "de"
        assert visit.complaints == []


def test_rulings_change_the_score_at_once(page: Page) -> None:
    score_sample(page, "bright")
    page.get_by_role("link", name="Settings").click()
    page.get_by_label("fails the card").check()
    show(page, "/photo/cards")
    page.get_by_role("button", name="Clear all").click()
    pick(page, "touch:OO")  # there is a lone orange sphere
    page.get_by_role("link", name="To the verdict").click()
    expect(page.locator(".verdict-row.failed")).to_have_count(1)


def test_without_a_connection_the_page_itself_still_opens(service: str, browser: Browser) -> None:
    with Visit(browser, service, service_workers="allow") as visit:
        page = visit.open()
        page.evaluate("navigator.serviceWorker.ready")
        visit.context.set_offline(True)
        page.reload()
        expect(page.locator("h1")).to_have_text("Who scored what?")
        show(page, "/photo/cards")
        expect(page.locator(".kinds")).to_be_visible()
        kept = page.evaluate(f"{KEPT}.then((kept) => kept.map((request) => request.url))")
        assert not [address for address in kept if "/v1/" in address]
