import cv2
import numpy as np
import pytest

from rules.dimension.cards import Card
from rules.dimension.judge import judge
from rules.dimension.layout import Layout
from tests.vision.dimension.readings import SIZE, make_reading, view_from
from vision.dimension.reading import Reading
from vision.dimension.reporting.overlay import draw
from vision.drawing import encode
from vision.photo import Photo

PYRAMID = "OKBGGWB/K.B.O./K"
LEFT = {"S00": "O", "S10": "W", "S20": "W", "S30": "G"}


def grey_photo(scale: float = 1.0) -> Photo:
    width, height = round(SIZE[0] * scale), round(SIZE[1] * scale)
    return Photo(np.full((height, width, 3), 128, np.uint8), scale, SIZE, None)


def test_spheres_are_marked_where_they_are() -> None:
    photo, reading = grey_photo(), make_reading("O..K.../....../.", LEFT)
    drawn = draw(photo, reading)
    assert drawn.shape == photo.picture.shape
    for seat in ("C", "R2"):
        u, v = map(round, reading.seats[seat].uv)
        assert (drawn[v - 12 : v + 13, u - 12 : u + 13] != 128).any()
    u, v = map(round, reading.seats["R5"].uv)
    assert (drawn[v - 8 : v + 9, u - 8 : u + 9] == 128).all(), "nothing on an empty seat"
    assert (photo.picture == 128).all(), "the photo itself stays as it is"


def test_a_drawing_follows_the_scale_of_the_photo() -> None:
    reading = make_reading(PYRAMID, LEFT)
    small, large = draw(grey_photo(0.5), reading), draw(grey_photo(1.0), reading)
    changed = [(picture != 128).any(axis=2).mean() for picture in (small, large)]
    assert changed[0] == pytest.approx(changed[1], rel=0.5)


def test_doubts_and_culprits_are_drawn() -> None:
    plain = draw(grey_photo(), make_reading(PYRAMID, LEFT))
    doubtful = draw(grey_photo(), make_reading(PYRAMID, LEFT, doubts={"R2": 0.6}))
    assert (plain != doubtful).any()
    verdict = judge(Card.parse("apart:OB"), Layout.parse(PYRAMID))
    assert verdict.contacts
    culprits = draw(grey_photo(), make_reading(PYRAMID, LEFT), verdict)
    red = (culprits[..., 2] > 200) & (culprits[..., :2].max(axis=2) < 90)
    assert red.sum() > 200
    assert not ((plain[..., 2] > 200) & (plain[..., :2].max(axis=2) < 90)).any()


def test_what_is_nearer_covers_what_is_behind() -> None:
    """On the nearest sphere of a low view nothing of the ring behind it shows."""
    reading = make_reading("OO.O.../....../.", view=view_from(55.0))
    alone = make_reading("...O.../....../.", view=view_from(55.0))
    near = reading.seats["R2"]
    (u, v), half = map(round, near.uv), round(near.radius * 0.6)
    part = slice(v - half, v + half), slice(u - half, u + half)
    assert np.array_equal(draw(grey_photo(), reading)[part], draw(grey_photo(), alone)[part])


@pytest.mark.parametrize("status", ["no_tray", "bad_image"])
def test_without_a_tray_only_the_title_is_written(status: str) -> None:
    drawn = draw(grey_photo(), Reading.refused("x.jpg", status, "No."))  # type: ignore[arg-type]
    assert (drawn[:40] != 128).any()
    assert (drawn[100:] == 128).all()


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_drawings_become_files(kind: str) -> None:
    picture = draw(grey_photo(0.5), make_reading(PYRAMID))
    content = encode(picture, kind)  # type: ignore[arg-type]
    assert content.startswith(b"\x89PNG" if kind == "png" else b"RIFF")
    again = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert again is not None
    assert again.shape == picture.shape


def test_seats_outside_the_picture_do_no_harm() -> None:
    reading = make_reading(PYRAMID, LEFT, view=view_from(30.0, distance=60.0))
    assert draw(grey_photo(), reading).shape == (SIZE[1], SIZE[0], 3)
