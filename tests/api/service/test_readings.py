"""``POST /v1/readings`` and ``/v1/overlays``: what photos show, and every refusal."""

import json
import subprocess
import sys
from io import BytesIO
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from api.games.dimension.models.readings import example_reading
from api.http.uploads import shown_name
from tests.api.conftest import SAMPLES
from tests.api.service.pictures import blank, bomb, png
from vision.dimension.reading import Reading

Answer = Any


def post(service: TestClient, *photos: bytes | tuple[str, bytes], **fields: Any) -> Answer:
    return service.post("/v1/readings", files=[("photos", photo) for photo in photos], data=fields)


def problem(answer: Answer, status: int, code: str) -> str:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert (body["status"], body["code"]) == (status, code)
    return str(body["detail"])


def test_a_photo_is_read(service: TestClient, sample: bytes) -> None:
    answer = post(service, ("../my/tray.jpg", sample))
    assert answer.status_code == 200, answer.text
    (reading,) = answer.json()["readings"]
    assert (reading["status"], reading["layout"]) == ("certain", "KGKOWGB/W..O../.")
    assert reading["photo"] == "tray.jpg"
    assert Reading.from_json(reading).to_json() == reading


def test_photos_are_answered_in_their_order(service: TestClient, sample: bytes) -> None:
    nothing = (SAMPLES / "02300.jpg").read_bytes()
    answer = post(service, nothing, sample, tray="pentagon")
    statuses = [reading["status"] for reading in answer.json()["readings"]]
    assert statuses == ["no_tray", "certain"]


def test_views_of_one_tray_give_one_reading(service: TestClient) -> None:
    views = [(name, (SAMPLES / name).read_bytes()) for name in ("02200-a.jpg", "02200-b.jpg")]
    (reading,) = post(service, *views, same_tray="true").json()["readings"]
    assert reading["layout"] == ".O.O..O/....../."
    assert reading["photo"] == ["02200-a.jpg", "02200-b.jpg"]


def test_no_photo_and_too_many(service: TestClient, sample: bytes) -> None:
    problem(service.post("/v1/readings"), 422, "bad_request")
    problem(post(service, *[sample] * 5), 422, "bad_count")


@pytest.mark.parametrize(
    "content",
    [b"Dear Sirs, this is no picture.", b"", b"GIF89a", b"%PDF-1.7", b"\x00" * 100],
    ids=["text", "empty", "gif", "pdf", "zeros"],
)
def test_what_is_not_an_image(service: TestClient, content: bytes) -> None:
    problem(post(service, ("x.jpg", content)), 415, "not_an_image")


@pytest.mark.parametrize(
    "content",
    [
        blank()[:400],
        png(640, 480),
        b"\xff\xd8\xff" + b"\x00" * 50,
        b"RIFF\x00\x00\x00\x00WEBP",
        b"\x00\x00\x00\x18ftypheic" + b"\x00" * 40,
    ],
    ids=["cut off", "no pixels", "jpeg", "webp", "heic"],
)
def test_what_cannot_be_decoded(service: TestClient, content: bytes) -> None:
    problem(post(service, ("x.jpg", content)), 422, "bad_image")


@pytest.mark.parametrize("content", [bomb(), png(10_000, 10_000), png(60_000, 60_000)])
def test_a_hundred_megapixels_are_refused_by_the_header(
    service: TestClient, content: bytes
) -> None:
    assert "too large" in problem(post(service, content), 422, "bad_image") or len(content) < 100


def test_one_bad_photo_among_good_ones(service: TestClient, sample: bytes) -> None:
    problem(post(service, sample, sample[:5000]), 422, "bad_image")


@pytest.mark.parametrize("tray", ["hexagon", "../disc", "/etc/passwd", "a" * 300, "disc.json"])
def test_a_tray_that_is_not_known(service: TestClient, sample: bytes, tray: str) -> None:
    problem(post(service, sample, tray=tray), 404, "no_such_tray")


@pytest.mark.parametrize(
    ("filename", "shown"),
    [
        ("C:\\photos\\tray.jpg", "tray.jpg"),
        ("../../etc/passwd", "passwd"),
        ("<script>.jpg", "script.jpg"),
        ("mein Brett (2).jpg", "mein Brett (2).jpg"),
        ("x" * 300, "x" * 100),
        ("..", ""),
        (None, ""),
    ],
)
def test_names_of_files_are_only_shown(filename: str | None, shown: str) -> None:
    assert shown_name(filename) == shown


def draw(service: TestClient, photo: bytes, reading: object, **fields: str) -> Answer:
    text = reading if isinstance(reading, str) else json.dumps(reading)
    return service.post("/v1/overlays", files={"photo": photo}, data={"reading": text, **fields})


def picture(answer: Answer, kind: str) -> Image.Image:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == f"image/{kind}"
    image: Image.Image = Image.open(BytesIO(answer.content))
    assert image.format == kind.upper()
    return image.convert("RGB")


def test_a_reading_is_drawn(service: TestClient, sample: bytes) -> None:
    reading = post(service, sample).json()["readings"][0]
    plain = picture(draw(service, sample, reading, kind="png"), "png")
    assert plain.size == (1024, 768)
    assert picture(draw(service, sample, reading), "webp").size == plain.size
    pointed = draw(service, sample, reading, kind="png", card="notabove:O", cards="touch:BK")
    assert picture(pointed, "png").tobytes() != plain.tobytes()


def test_what_cannot_be_drawn(service: TestClient, sample: bytes) -> None:
    reading = example_reading()
    problem(draw(service, sample, "{"), 422, "bad_reading")
    problem(draw(service, sample, {**reading, "seats": {}}), 422, "bad_reading")
    problem(draw(service, sample, reading, card="touch:XX"), 422, "bad_card")
    problem(draw(service, sample, reading, kind="gif"), 422, "bad_request")
    problem(draw(service, b"text", reading), 415, "not_an_image")
    problem(draw(service, sample[:3000], reading), 422, "bad_image")


def test_the_service_itself_never_loads_opencv() -> None:
    code = "import sys, api.http.app; api.http.app.create_app(); sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
