"""Trays: measured from photos, kept under their names, and every name that cannot be."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from fastapi.testclient import TestClient

from api.http.app import create_app
from api.measuring import Calibrate, ProfileRefused
from api.problems import Problem
from api.profiles import MeasuredProfile, Profiles
from api.samples import sample_photo
from api.workers.jobs import MeasureTray, TrayRefused
from calibration.dimension.profile import format_problems, load_profile
from calibration.profile_files import PROFILES
from tests.api.conftest import quiet_settings
from tests.api.service.pictures import blank


class Measuring:
    """Stands for the workers, which have tests of their own: measures every tray alike."""

    async def do(
        self, job: Calibrate, photos: list[bytes]
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        if "refuse" in job.name:
            raise ProfileRefused(
                "The photo is blurred. Hold still and focus on the tray.", "blurred"
            )
        sphere_mm = float(dict(job.options).get("sphere_mm", 0))
        scale: Literal["given", "assumed"] = "given" if sphere_mm else "assumed"
        disc = load_profile("disc")
        profile = replace(disc, name=job.name, scale=scale, sphere_mm=sphere_mm or 20.0)
        return profile.to_json(), (f"{len(photos)} photos",)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(quiet_settings(tmp_path, most_trays=2))
    app.state.readers = Measuring()
    client = TestClient(app)
    yield client
    client.close()


def measure(client: TestClient, name: str, *photos: bytes, **fields: Any) -> Any:
    files = [("photos", photo) for photo in photos or (blank(),)]
    return client.post("/v1/trays", files=files, data={"name": name, **fields})


def refused(answer: Any, status: int, code: str) -> Any:
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), answer.text
    return problem


def test_built_in_trays_are_there(client: TestClient) -> None:
    trays = client.get("/v1/trays").json()["trays"]
    assert trays == [{"name": name, "built_in": True} for name in ("disc", "pentagon")]
    assert client.get("/v1/trays/disc").json() == json.loads(
        json.dumps(load_profile("disc").to_json())
    )


def test_a_measured_tray_is_kept(client: TestClient, tmp_path: Path) -> None:
    answer = measure(client, "our-tray", blank(), blank("PNG"), sphere_mm="20.5")
    assert answer.status_code == 201, answer.text
    profile = answer.json()
    assert (profile["name"], profile["scale"], profile["sphere_mm"]) == ("our-tray", "given", 20.5)
    assert profile.pop("warnings") == ["2 photos"]
    assert client.get("/v1/trays/our-tray").json() == profile
    assert format_problems(profile) == ()
    assert {"name": "our-tray", "built_in": False} in client.get("/v1/trays").json()["trays"]
    assert [file.name for file in (tmp_path / "trays").iterdir()] == ["our-tray.json"]
    assert set(client.get("/v1/version").json()["trays"]) == {"disc", "pentagon", "our-tray"}


@pytest.mark.parametrize(
    "name",
    ["../x", "a/b", ".hidden", "", " ", "a b", "ü", "x" * 65, "nul", "COM1", "a\n", "-x", "a\0"],
)
def test_names_that_cannot_be(client: TestClient, tmp_path: Path, name: str) -> None:
    answer = measure(client, name)
    assert answer.status_code == 422
    assert answer.json()["code"] in ("bad_name", "bad_request")
    assert not (tmp_path / "trays").exists()


@pytest.mark.parametrize("name", ["disc", "DISC", "mine", "Mine"])
def test_names_that_are_taken(client: TestClient, name: str) -> None:
    assert measure(client, "mine").status_code == 201
    refused(measure(client, name), 409, "name_taken")


def test_only_so_many_are_kept(client: TestClient) -> None:
    assert [measure(client, name).status_code for name in "ab"] == [201, 201]
    refused(measure(client, "c"), 409, "too_many_trays")


def test_a_name_taken_while_it_was_measured(tmp_path: Path) -> None:
    profiles = Profiles(tmp_path, 10)
    profiles.check_free("first")
    profiles.add(MeasuredProfile(replace(load_profile("disc"), name="first")))
    with pytest.raises(Problem, match="already"):
        profiles.add(MeasuredProfile(replace(load_profile("pentagon"), name="first")))
    assert profiles.get("first") == ("tray", replace(load_profile("disc"), name="first"))


def test_a_request_that_comes_again_gets_its_answer_again(client: TestClient) -> None:
    def ask(key: str, photo: bytes) -> Any:
        files, headers = [("photos", photo)], {"Idempotency-Key": key}
        return client.post("/v1/trays", files=files, data={"name": "mine"}, headers=headers)

    first, again = ask("k1", blank()), ask("k1", blank())
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    refused(ask("k2", blank()), 409, "name_taken")
    refused(ask("k1", blank("PNG")), 409, "name_taken")  # another request under the same key
    refused(measure(client, "mine"), 409, "name_taken")


@pytest.mark.parametrize("size", ["0", "-1", "nan", "inf", "1e9", "wide"])
def test_sizes_that_cannot_be(client: TestClient, size: str) -> None:
    refused(measure(client, "x", sphere_mm=size), 422, "bad_request")


def test_photos_that_cannot_be(client: TestClient) -> None:
    refused(measure(client, "x", b"text"), 415, "not_an_image")
    refused(measure(client, "x", *[blank()] * 5), 422, "bad_count")


@pytest.mark.parametrize("name", ["nowhere", "disc.json", "..", "a" * 65])
def test_trays_that_are_not_there(client: TestClient, name: str) -> None:
    assert client.get(f"/v1/trays/{name}").status_code in (404, 422)


def test_a_damaged_file_is_said_to_be_one(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "trays").mkdir()
    (tmp_path / "trays" / "torn.json").write_text("{")
    refused(client.get("/v1/trays/torn"), 409, "bad_tray")
    assert "torn" not in client.get("/v1/version").json()["trays"]


def test_a_blank_photo_is_refused_by_the_measuring_itself(service: TestClient) -> None:
    problem = refused(measure(service, "blank-tray"), 422, "tray_refused")
    assert [error["code"] for error in problem["errors"]] == ["no_tray"]


def test_profiles_are_told_with_their_kind(client: TestClient, tmp_path: Path) -> None:
    form = {"kind": "tray", "name": "ours", "sphere_mm": "20.5"}
    answer = client.post("/v1/profiles", files=[("photos", blank())], data=form)
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert (told["kind"], told["name"], told["sphere_mm"]) == ("tray", "ours", 20.5)
    assert told.pop("warnings") == ["1 photos"]
    assert client.get("/v1/profiles/ours").json() == told
    assert {"kind": "tray", **client.get("/v1/trays/ours").json()} == told
    listed = client.get("/v1/profiles").json()["profiles"]
    assert [profile for profile in listed if profile["kind"] == "tray"] == [
        {"name": "disc", "kind": "tray", "built_in": True},
        {"name": "pentagon", "kind": "tray", "built_in": True},
        {"name": "ours", "kind": "tray", "built_in": False},
    ]
    assert json.loads((tmp_path / PROFILES / "ours.json").read_text())["kind"] == "tray"
    refused(client.get("/v1/profiles/nowhere"), 404, "no_such_profile")


def test_a_profile_that_is_refused_is_not_kept(client: TestClient) -> None:
    form = {"kind": "tray", "name": "refuse-me"}
    german = {"Accept-Language": "de"}
    answer = client.post("/v1/profiles", files=[("photos", blank())], data=form, headers=german)
    problem = refused(answer, 422, "tray_refused")
    assert [error["code"] for error in problem["errors"]] == ["blurred"]
    assert problem["detail"] == problem["text"]["de"] != problem["text"]["en"]
    assert answer.headers["Content-Language"] == "de"
    assert client.get("/v1/profiles/refuse-me").status_code == 404


def test_a_kind_that_nobody_measures(client: TestClient) -> None:
    form = {"kind": "camel", "name": "x"}
    answer = client.post("/v1/profiles", files=[("photos", blank())], data=form)
    refused(answer, 422, "bad_kind")


def test_a_file_of_another_kind_is_no_tray(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / PROFILES).mkdir()
    (tmp_path / PROFILES / "odd.json").write_text('{"kind": "camel", "name": "odd"}')
    refused(client.get("/v1/trays/odd"), 409, "bad_tray")
    refused(client.get("/v1/profiles/odd"), 409, "bad_profile")
    refused(measure(client, "Odd"), 409, "name_taken")
    assert "odd" not in [one["name"] for one in client.get("/v1/profiles").json()["profiles"]]


def test_the_command_line_refuses_in_the_worker() -> None:
    with pytest.raises(ProfileRefused, match="no tray") as refusal:
        Calibrate("tray", "x", (blank(),)).run()
    assert refusal.value.code == "no_tray"
    with pytest.raises(ProfileRefused, match="no option 'output'") as unknown:
        Calibrate("tray", "x", (blank(),), (("output", "/etc/passwd"),)).run()
    assert unknown.value.code == "bad_request"
    with pytest.raises(ProfileRefused, match="sphere-mm"):
        Calibrate("tray", "x", (blank(),), (("sphere_mm", "wide"),)).run()


def test_what_measuring_refuses() -> None:
    with pytest.raises(TrayRefused, match="no tray"):
        MeasureTray((blank(),), "x").run()


@pytest.mark.slow
def test_a_start_photo_is_measured(service: TestClient) -> None:
    answer = measure(service, "start", sample_photo("start.jpg"))
    assert answer.status_code == 201, answer.text
    profile, disc = answer.json(), load_profile("disc")
    ratio = profile["pitch_mm"] / profile["sphere_mm"]
    assert ratio == pytest.approx(disc.pitch_mm / disc.sphere_mm, rel=0.02)
