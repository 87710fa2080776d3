import copy
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dimension.board import SEATS
from rules.dimension.places import STORAGE
from tests.vision.dimension.readings import make_reading
from vision.dimension.reading import (
    MOST_PROBLEMS,
    Reading,
    ReadingError,
    reading_problems,
    reading_schema,
)

PYRAMID = "OKBGGWB/K.B.O./K"
OTHER = "KOBGGWB/K.B.O./K"


def example() -> dict[str, Any]:
    return make_reading(PYRAMID, {"S00": "O"}, alternatives={OTHER: 0.25}).to_json()


def test_a_reading_has_the_fields_of_the_contract() -> None:
    data = example()
    assert list(data) == [
        *("photo", "status", "layout", "confidence", "seats", "storage"),
        *("alternatives", "warnings", "ms", "message"),
    ]
    assert tuple(data["seats"]) == SEATS
    assert tuple(data["storage"]) == STORAGE
    assert set(data["seats"]["C"]) == {"color", "p", "how", "visible", "uv", "radius"}
    assert data["layout"] == PYRAMID
    assert data["alternatives"] == [{"layout": OTHER, "p": 0.25}]
    assert data["seats"]["T1"]["color"] is None
    assert data["storage"]["S00"]["color"] == "O"
    assert set(data["ms"]) == {"decode", "locate", "observe", "infer", "total"}


def test_a_reading_comes_back_from_json() -> None:
    text = json.dumps(example())
    assert Reading.from_json(json.loads(text)).to_json() == json.loads(text)


@pytest.mark.parametrize("status", ["no_tray", "bad_image"])
def test_without_a_tray_there_is_nothing(status: Any) -> None:
    reading = Reading.refused("x.jpg", status, "Nothing there.")
    data = reading.to_json()
    assert data["layout"] is None
    assert data["confidence"] is None
    assert (data["seats"], data["storage"], data["alternatives"]) == ({}, {}, [])
    assert Reading.from_json(data) == reading or Reading.from_json(data).to_json() == data
    assert str(reading) == f"x.jpg: {status}"
    assert reading.possibilities == {}


def test_photos_of_one_tray_are_listed() -> None:
    data = example() | {"photo": ["a.jpg", "b.jpg"]}
    reading = Reading.from_json(data)
    assert reading.photo == ("a.jpg", "b.jpg")
    assert reading.to_json()["photo"] == ["a.jpg", "b.jpg"]
    assert str(reading) == f"a.jpg, b.jpg: uncertain {PYRAMID} (75.0%)"


def test_a_borrowed_sphere_is_no_fault_of_the_reading() -> None:
    data = make_reading("OOOOBBB/....../.").to_json()
    assert reading_problems(data) == ()


def changed(*path: Any, to: object) -> dict[str, Any]:
    data = copy.deepcopy(example())
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return data


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (None, ""),
        ([], ""),
        ({k: v for k, v in example().items() if k != "seats"}, "seats"),
        (example() | {"extra": 1}, "extra"),
        (changed("status", to="sure"), "status"),
        (changed("status", to=["certain"]), "status"),
        (changed("layout", to="OOO"), "layout"),
        (changed("layout", to="......./K...../."), "layout"),
        (changed("layout", to=None), "layout"),
        (changed("layout", to=7), "layout"),
        (changed("confidence", to=1.5), "confidence"),
        (changed("confidence", to=float("nan")), "confidence"),
        (changed("confidence", to=True), "confidence"),
        (changed("seats", "C", to=None), "seats.C"),
        (changed("seats", "C", "color", to="X"), "seats.C.color"),
        (changed("seats", "C", "color", to="OB"), "seats.C.color"),
        (changed("seats", "C", "color", to="B"), "seats.C"),
        (changed("seats", "C", "p", to="1"), "seats.C.p"),
        (changed("seats", "C", "p", to=10**400), "seats.C.p"),
        (changed("seats", "C", "how", to="guessed"), "seats.C.how"),
        (changed("seats", "C", "uv", to=[1.0]), "seats.C.uv"),
        (changed("seats", "C", "radius", to=-1), "seats.C.radius"),
        (changed("seats", "X9", to=example()["seats"]["C"]), "seats"),
        (changed("storage", to=[]), "storage"),
        (changed("alternatives", to=[{"layout": PYRAMID}]), "alternatives[0].p"),
        (changed("alternatives", to=[{"layout": "", "p": 1}]), "alternatives[0].layout"),
        (changed("alternatives", to=[None] * 11), "alternatives[0]"),
        (changed("alternatives", to=[{"layout": OTHER, "p": 0.01}] * 11), "alternatives"),
        (changed("alternatives", 0, "layout", to="?"), "alternatives[0].layout"),
        (changed("warnings", to="blurred"), "warnings"),
        (changed("ms", to={"total": "fast"}), "ms"),
        (changed("message", to="x" * 10_000), "message"),
        (changed("photo", to=[]), "photo"),
    ],
)
def test_what_is_wrong_is_named(data: object, where: str) -> None:
    with pytest.raises(ReadingError) as caught:
        Reading.from_json(data)
    assert where in [problem.where for problem in caught.value.problems]
    assert all(problem.text.endswith(".") for problem in caught.value.problems)


def test_each_problem_says_what_should_be_there() -> None:
    data = changed("seats", "C", "p", to=2) | {"status": "sure", "extra": 1, "message": 3}
    assert [str(problem) for problem in reading_problems(data)] == [
        "extra: is not a field of a reading.",
        "status: is certain, uncertain, no_tray or bad_image.",
        "seats.C.p: is a number from 0 to 1.",
        "message: is a text.",
        "layout: does not go with the status 'sure'.",
        "confidence: does not go with the status 'sure'.",
        "seats: is empty without a tray.",
        "storage: is empty without a tray.",
    ]


def test_the_schema_fits_every_reading() -> None:
    schema = jsonschema.Draft202012Validator(reading_schema())
    assert schema.is_valid(example())
    assert schema.is_valid(Reading.refused("x.jpg", "no_tray", "Nothing there.").to_json())
    assert not schema.is_valid(example() | {"extra": 1})
    assert not schema.is_valid({name: value for name, value in example().items() if name != "ms"})


def test_everything_wrong_is_named_at_once_but_not_without_end() -> None:
    data = example() | {"status": 1, "warnings": 2, "message": 3}
    assert {"status", "warnings", "message"} <= {p.where for p in reading_problems(data)}
    data["seats"] = {f"X{i}": None for i in range(10_000)}
    assert len(reading_problems(data)) == MOST_PROBLEMS


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(example())), ANYTHING)
def test_any_json_is_a_reading_or_is_refused(name: str, value: object) -> None:
    data = example() | {name: value}
    if reading_problems(data):
        with pytest.raises(ReadingError):
            Reading.from_json(data)
    else:
        json.dumps(Reading.from_json(data).to_json())


def test_an_empty_tray_has_a_layout_to_show() -> None:
    reading = make_reading("......./....../.", status="certain")
    assert "......./....../." in str(reading)
