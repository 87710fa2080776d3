"""The package works where the checkout is not."""

import subprocess
import sys
import venv
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.api.service.serving import serving

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_a_built_package_installs_and_runs_outside_the_checkout(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("trayscore-*.whl")
    home = tmp_path / "home"
    venv.create(home, with_pip=True)
    subprocess.run([home / "bin/python", "-m", "pip", "install", "-q", str(wheel)], check=True)
    for arguments in (
        ["score", "OKBGGWB/K.B.O./K", "--cards", "touch:BK", "--json"],
        ["solve", "--cards", "touch:BK,exactly:2O", "--json"],
        ["deck", "--json"],
        ["calibrate", "sheet", "--tray", "pentagon", "-o", "sheet.pdf"],
        ["score", str(ROOT / "sample_images" / "01211.jpg"), "--cards", "touch:BK", "--json"],
    ):
        subprocess.run([home / "bin/trayscore", *arguments], cwd=tmp_path, check=True)
    with serving(tmp_path, program=(str(home / "bin/trayscore"),)) as served:
        samples = [sample["name"] for sample in served.get("/v1/samples")["samples"]]
        for path in ("/", "/docs", *(f"/v1/samples/{name}" for name in samples)):
            with urlopen(served.address + path, timeout=60) as answer:
                assert answer.status == 200
    found = subprocess.run(
        [home / "bin/python", "-c", "import lab"], cwd=tmp_path, capture_output=True, check=False
    )
    assert b"ModuleNotFoundError" in found.stderr  # for developing only
