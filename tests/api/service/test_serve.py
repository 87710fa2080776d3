"""``trayscore serve``: starts fast, says where it is, serves securely, stops gracefully."""

import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from api.cli.serve import announcement
from api.http.certificates import fingerprint
from api.settings import Settings
from tests.api.service.serving import Served, serving

STARTS_S = 3.0


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served"), "--https") as served:
        yield served


def test_it_serves_securely_by_its_own_certificate(served: Served) -> None:
    authority = served.log.parent / "certificates" / "authority.pem"
    assert served.address.startswith("https://")
    assert served.get("/v1/health", trust=authority)["status"] == "ready"
    with pytest.raises(OSError, match="certificate verify failed"):
        served.get("/v1/health")
    with pytest.raises(OSError, match="certificate verify failed"):  # nor by another's
        served.get("/v1/health", trust=Path(__file__).parent / "other-authority.pem")


def test_it_says_where_it_is_and_how_to_trust_it(served: Served) -> None:
    assert "https://localhost:" in served.announced
    assert "trust" in served.announced
    assert "sample photo" in served.announced
    assert str(served.log.parent) in served.announced


def test_devices_get_the_certificate_to_trust(served: Served) -> None:
    authority = served.log.parent / "certificates" / "authority.pem"
    context = ssl.create_default_context(cafile=str(authority))
    with urlopen(f"{served.address}/trust", context=context, timeout=60) as answer:
        page = answer.read().decode()
    assert fingerprint(authority) in page
    assert fingerprint(authority) in served.announced
    assert "iPad" in page
    assert "Android" in page
    with urlopen(f"{served.address}/trust/trayscore.crt", context=context, timeout=60) as answer:
        assert answer.headers["content-type"] == "application/x-x509-ca-cert"
        assert ssl.DER_cert_to_PEM_cert(answer.read()) == authority.read_text("ascii")


def test_it_stops_gracefully_and_logs_json(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        served.get("/v1/deck?token=s3cr3t")
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(20) == 0
        routes = [line.get("route") for line in served.log_lines()]
        assert routes == ["/v1/deck"]
        assert "s3cr3t" not in served.log.read_text("utf-8")


def test_its_workers_go_when_it_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        children = _children(served.process.pid)
        assert children
        served.process.kill()
        served.process.wait(10)
        ended = time.monotonic() + 30  # a worker notices when it is ready for the next job
        while any(_runs(pid) for pid in children) and time.monotonic() < ended:
            time.sleep(0.1)
        assert not any(_runs(pid) for pid in children)


def _children(pid: int) -> list[int]:
    """The processes that a process has started."""
    ended = time.monotonic() + 20
    while time.monotonic() < ended:
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        if found := [int(child) for task in tasks for child in task.read_text("ascii").split()]:
            return found
        time.sleep(0.05)
    return []


def _runs(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text("ascii")
    except FileNotFoundError:
        return False


def run(*options: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "api.cli", "serve", *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = run("--host", "127.0.0.1", "--port", port, "--data", str(tmp_path))
    assert done.returncode == 1
    assert "in use" in done.stderr
    assert "Traceback" not in done.stderr


def test_settings_that_cannot_be(tmp_path: Path) -> None:
    done = run("--port", "99999", "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "port" in done.stderr
    wrong = run("--data", str(tmp_path), TRAYSCORE_WORKERS="none")
    assert wrong.returncode == 1
    assert "workers" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_a_data_directory_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run("--data", str(tmp_path / "file" / "data"))
    assert done.returncode == 1
    assert "file" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_network_gets_an_address_and_a_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.cli.serve.lan_addresses", lambda: ["192.168.1.5"])
    text = announcement(Settings(data_dir=tmp_path, host="0.0.0.0"), 8000)
    assert "http://192.168.1.5:8000/" in text
    assert "http://localhost:8000/" in text
    assert "█▀" in text
    alone = announcement(Settings(data_dir=tmp_path, host="127.0.0.1"), 8000)
    assert "192.168" not in alone
    assert "█" not in alone


def test_scoring_a_layout_loads_no_framework() -> None:
    code = (
        "import sys; from api.cli import main; "
        "main(['score', 'OKBGGWB/K.B.O./K', '--cards', 'touch:BK', '--json']); "
        "sys.exit(any(name in sys.modules for name in ('fastapi', 'uvicorn', 'pydantic', 'cv2')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0


def test_it_starts_within_three_seconds_of_work(tmp_path: Path) -> None:
    """Until its first answer, by the clock that stands still while others have the processor."""
    with serving(tmp_path) as served:
        served.get("/v1/health")
        fields = Path(f"/proc/{served.process.pid}/stat").read_text("ascii").split()
        work = sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")
    assert work <= STARTS_S


@pytest.mark.slow
@pytest.mark.alone
def test_it_starts_within_three_seconds(tmp_path: Path) -> None:
    """Until its first answer. The machine may be busy with something else: best of three."""
    seconds = []
    for number in range(3):
        (tmp_path / str(number)).mkdir()
        with serving(tmp_path / str(number)) as served:
            served.get("/v1/health")
            seconds.append(served.seconds)
    assert min(seconds) <= STARTS_S
