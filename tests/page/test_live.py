"""The live view, before a fake camera that shows a tray."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import pytest
from playwright.sync_api import Browser, BrowserType, Page, WebSocket, expect

from calibration.dimension.profile import load_profile
from lab.dimension.make import Seeds, Wishes, write_one
from tests.page.pace import FIXED_PICTURES_S, fixed_pictures_s, in_turns
from tests.page.test_one_photo import SAMPLES
from tests.page.visit import CHROMIUM, FLAGS, Visit, show

pytestmark = pytest.mark.slow

FRAMES_A_SECOND = 8
SECONDS = 3


def film(photo: Path, path: Path) -> Path:
    """A film in which nothing moves: one JPEG after the other."""
    path.write_bytes(photo.read_bytes() * 30)
    return path


def before_camera(chromium: BrowserType, film: Path) -> Browser:
    camera = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
    return chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *camera])


@pytest.fixture(scope="module")
def clear(chromium: BrowserType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A camera that sees a tray of which nothing is in doubt."""
    path = tmp_path_factory.mktemp("film") / "clear.mjpeg"
    browser = before_camera(chromium, film(SAMPLES / "01211.jpg", path))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def doubtful(chromium: BrowserType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A camera held so low that nothing is certain: the shutter does not fall by itself."""
    folder = tmp_path_factory.mktemp("film")
    low = Wishes(
        kind="play",
        profile=load_profile("disc"),
        light="office",
        table="plain",
        tilt_deg=(61, 62),
        neighbours=0,
    )
    write_one(folder, ("low.jpg", Seeds.of(9, 3), low))
    browser = before_camera(chromium, film(folder / "low.jpg", folder / "doubtful.mjpeg"))
    yield browser
    browser.close()


def test_the_shutter_falls_by_itself_when_all_is_certain_and_still(
    service: str, clear: Browser
) -> None:
    with Visit(clear, service) as visit:
        page = visit.open("/photo")
        expect(page.locator(".viewfinder video")).to_be_visible()
        expect(page.locator(".review, .verdict").first).to_be_visible()
        expect(page.locator("[data-seat=C]")).to_have_attribute("aria-label", "the centre: orange")
        assert visit.complaints == []


def test_outlines_lock_on_and_words_guide(service: str, doubtful: Browser) -> None:
    with Visit(doubtful, service) as visit:
        page = visit.open("/photo")
        expect(page.locator(".outlines .ring").nth(4)).to_be_attached()
        expect(page.locator(".advice")).not_to_contain_text("Looking for the tray")
        page.get_by_role("button", name="Shutter").click()
        expect(page.locator(".review")).to_be_visible()
        expect(page.locator(".overlay image")).to_be_visible()
        assert visit.complaints == []


def test_the_camera_goes_off_with_the_screen(service: str, doubtful: Browser) -> None:
    with Visit(doubtful, service) as visit:
        page = visit.open("/photo")
        expect(page.locator(".viewfinder video")).to_be_visible()
        tracks = page.evaluate_handle("document.querySelector('video').srcObject.getVideoTracks()")
        show(page, "/settings")
        expect(page.locator(".options").first).to_be_visible()
        assert tracks.evaluate("(tracks) => tracks.map((t) => t.readyState)") == ["ended"]


def test_the_overlay_follows_quickly(
    service: str, doubtful: Browser, tell: Callable[[str], None]
) -> None:
    with Visit(doubtful, service) as visit:
        page = visit.open("/settings")
        answers = counted_answers(page)

        def frame_s() -> float:
            show(page, "/photo")
            expect(page.locator(".outlines .ring").nth(4)).to_be_attached()
            before, begun = len(answers), perf_counter()
            page.wait_for_timeout(SECONDS * 1000)
            seconds = (perf_counter() - begun) / max(1, len(answers) - before)
            show(page, "/settings")  # the camera goes off: fixed work is timed without it
            expect(page.locator(".options").first).to_be_visible()
            return seconds

        timed = in_turns(frame_s, fixed_pictures_s, FIXED_PICTURES_S)
    tell(f"live overlay: {1 / timed.seconds:.1f} frames/s, a frame {timed}")
    assert 1 / timed.there >= FRAMES_A_SECOND


def counted_answers(page: Page) -> list[None]:
    """Grows by one with each answer to a frame."""
    answers: list[None] = []

    def follow(socket: WebSocket) -> None:
        socket.on("framereceived", lambda _: answers.append(None))

    page.on("websocket", follow)
    return answers
