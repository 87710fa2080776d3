"""What the page does beside being looked at: it sounds, speaks, and keeps the screen on."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.evening import CARDS, Evening
from tests.page.visit import Visit, score_sample

pytestmark = pytest.mark.slow

SHORTEST_S = 15
LISTEN = """
  window.heard = [];
  window.OscillatorNode = class extends OscillatorNode {
    constructor(context, options) {
      super(context, options);
      const seconds = document.querySelector(".hourglass .seconds");
      heard.push([seconds ? Number(seconds.textContent) : 0, options.frequency]);
    }
  };
  window.said = [];
  speechSynthesis.speak = ({ text, lang }) => said.push([text, lang]);
  window.awake = 0;
  Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
    awake += 1;
    return Object.assign(new EventTarget(), { release: async () => { awake -= 1; } });
  } } });
"""


def listened_to(visit: Visit, screen: str = "/") -> Page:
    visit.context.add_init_script(LISTEN)
    return visit.open(screen)


def test_the_hourglass_warns_at_ten_seconds_and_at_the_end(service: str, browser: Browser) -> None:
    """Two rising notes, ticks for the last seconds, a falling chime; the screen stays on."""
    evening = Evening(service, ("Ada",)).opened(hourglass_s=SHORTEST_S)
    evening.revealed(CARDS)
    with Visit(browser, service) as visit:
        evening.known_to(visit.context)
        page = listened_to(visit, f"/table/{evening.id}")
        page.get_by_role("button", name="Turn the hourglass").click()
        expect(page.locator(".hands-off")).to_be_visible()
        seconds, pitches = zip(*page.evaluate("heard"), strict=True)
        assert pitches[:2] == (660, 880)
        assert pitches[-3:] == (880, 660, 440)
        assert pitches[2:-3] in [(1040,) * ticks for ticks in (1, 2, 3)]  # a busy device skips some
        assert all(7 <= second <= 11 for second in seconds[:2])
        assert page.evaluate("awake") == 1
        page.get_by_role("link", name="Trayscore, home").click()
        expect(page.locator(".samples")).to_be_visible()
        assert page.evaluate("awake") == 0
        assert visit.complaints == []


@pytest.mark.parametrize(("language", "yes"), [("en", "Yes."), ("de", "Ja.")])
def test_verdicts_are_read_aloud_on_request(
    service: str, browser: Browser, language: str, yes: str
) -> None:
    with Visit(browser, service, language=language) as visit:
        page = listened_to(visit)
        score_sample(page, "bright")
        assert page.evaluate("said") == []
        page.locator("main .actions button").first.click()
        expect(page.locator("main .actions button").first).to_be_visible()
        said = page.evaluate("said")
        assert said
        assert all(lang == language and yes in text for text, lang in said)
        assert visit.complaints == []
