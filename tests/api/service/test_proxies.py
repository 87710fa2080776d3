"""Forwarded addresses are believed only from named proxies, and only as far as these reach."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.http.app import create_app
from api.http.proxies import Proxies
from api.limits.callers import network_of
from tests.api.conftest import quiet_settings

NAMED = ("10.0.0.1", "10.1.0.0/16", "2001:db8:ffff::/48")


def client(folder: Path, peer: str, *said: str, header: str = "X-Forwarded-For") -> str:
    """Who asks, as far as limits go."""
    settings = quiet_settings(folder, proxies=NAMED, proxy_header=header)
    return network_of(Proxies(_nobody, settings).client(peer, said))  # type: ignore[arg-type]


async def _nobody() -> None:
    """Nothing is asked."""


@pytest.mark.parametrize(
    ("peer", "said", "address"),
    [
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.1.2.3", ["203.0.113.9"], "203.0.113.9"),
        ("::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("2001:db8:ffff::5", ["203.0.113.9:4711"], "203.0.113.9"),
        ("10.0.0.1", ["2001:db8:1:2:3:4:5:6"], "2001:0db8:0001:0002"),
        ("10.0.0.1", ["[2001:db8:1:2::9]:4711"], "2001:0db8:0001:0002"),
        # Proxies behind proxies: each adds whom it asks for.
        ("10.0.0.1", ["203.0.113.9, 10.1.0.7"], "203.0.113.9"),
        ("10.0.0.1", ["203.0.113.9", "10.1.0.7"], "203.0.113.9"),
        ("10.0.0.1", ["10.1.0.8, 10.1.0.7"], "10.1.0.8"),
        # What stands before the last stranger, that stranger may have invented.
        ("10.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["10.1.0.9, 203.0.113.9, 10.1.0.7"], "203.0.113.9"),
        # Strangers are not believed at all.
        ("192.0.2.7", ["203.0.113.9"], "192.0.2.7"),
        ("10.2.0.1", ["203.0.113.9"], "10.2.0.1"),
        # Nonsense: who spoke last is all we know.
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9,"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9:port"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.999"], "10.0.0.1"),
        ("10.0.0.1", ["[2001:db8::1"], "10.0.0.1"),
        ("10.0.0.1", ["[2001:db8::1]x"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9, nonsense, 10.1.0.7"], "10.1.0.7"),
        ("10.0.0.1", ["," * 50_000], "10.0.0.1"),
        ("unix", ["203.0.113.9"], "unix"),
    ],
)
def test_x_forwarded_for(tmp_path: Path, peer: str, said: list[str], address: str) -> None:
    assert client(tmp_path, peer, *said) == address


@pytest.mark.parametrize(
    ("said", "address"),
    [
        (["for=203.0.113.9"], "203.0.113.9"),
        (["For=203.0.113.9;proto=https;by=10.0.0.1"], "203.0.113.9"),
        (['proto=http; for="203.0.113.9:80"'], "203.0.113.9"),
        (['for="[2001:db8:1:2::9]:4711"'], "2001:0db8:0001:0002"),
        (["for=198.51.100.1, for=203.0.113.9, for=10.1.0.7"], "203.0.113.9"),
        (["for=198.51.100.1", "for=203.0.113.9"], "203.0.113.9"),
        (["for=unknown"], "10.0.0.1"),
        (["for=_hidden"], "10.0.0.1"),
        (["by=203.0.113.9"], "10.0.0.1"),
        (["for=203.0.113.9;for=198.51.100.1"], "10.0.0.1"),
        (['for="203.0.113.9'], "10.0.0.1"),
    ],
)
def test_forwarded(tmp_path: Path, said: list[str], address: str) -> None:
    assert client(tmp_path, "10.0.0.1", *said, header="Forwarded") == address


def asked(folder: Path, peer: str, headers: list[dict[str, str]], **settings: object) -> list[int]:
    """Statuses of requests that come from a peer, two of which each address may make."""
    app = create_app(quiet_settings(folder, rate_per_minute=4, **settings))
    calling = TestClient(app, client=(peer, 1))  # not started: this needs no worker
    return [calling.get("/v1/deck", headers=header).status_code for header in headers]


def forwarded(*addresses: str, header: str = "X-Forwarded-For") -> list[dict[str, str]]:
    return [{header: address} for address in addresses]


def test_by_default_nobody_is_believed(tmp_path: Path) -> None:
    said = forwarded("203.0.113.1", "203.0.113.2", "203.0.113.3")
    assert asked(tmp_path, "10.0.0.1", said) == [200, 200, 429]


def test_those_behind_a_named_proxy_have_a_count_each(tmp_path: Path) -> None:
    said = forwarded("203.0.113.1", "203.0.113.1", "203.0.113.2", "203.0.113.1")
    named = {"proxies": ["10.0.0.0/8"]}
    assert asked(tmp_path, "10.0.0.1", said, **named) == [200, 200, 200, 429]


def test_the_other_header_is_not_believed(tmp_path: Path) -> None:
    """A proxy passes on what it does not know: whoever asks could say anything there."""
    said = forwarded("for=203.0.113.1", "for=203.0.113.2", "for=203.0.113.3", header="Forwarded")
    named = {"proxies": ["10.0.0.0/8"]}
    assert asked(tmp_path, "10.0.0.1", said, **named) == [200, 200, 429]
