"""Certificates for the local network: what they vouch for, and when they are made anew."""

import ssl
import stat
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from api.http.certificates import local_certificate

NAMES = ["localhost", "den", "den.local", "den.example"]
ADDRESSES = ["192.168.1.5"]


def load(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def test_it_vouches_for_this_computer_and_local_names_only(tmp_path: Path) -> None:
    files = local_certificate(tmp_path, [*ADDRESSES, "8.8.8.8"], NAMES)
    own = load(files.certificate)
    names = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost", "den.local"]
    addresses = names.get_values_for_type(x509.IPAddress)
    assert addresses == [ip_address("127.0.0.1"), ip_address("192.168.1.5")]
    verifier = PolicyBuilder().store(Store([load(files.authority)])).build_server_verifier
    for name in (x509.IPAddress(ip_address("192.168.1.5")), x509.DNSName("den.local")):
        assert len(verifier(name).verify(own, [])) == 2
    assert own.not_valid_after_utc - own.not_valid_before_utc < timedelta(days=398)


def test_the_authority_cannot_vouch_for_the_internet(tmp_path: Path) -> None:
    files = local_certificate(tmp_path, ADDRESSES, NAMES)
    limits = load(files.authority).extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    allowed = limits.value.permitted_subtrees or []
    domains = [name.value for name in allowed if isinstance(name, x509.DNSName)]
    networks = [name.value for name in allowed if isinstance(name, x509.IPAddress)]
    assert "local" in domains
    assert not any("." in domain and domain != "home.arpa" for domain in domains)
    assert not any(ip_address("8.8.8.8") in network for network in networks)  # type: ignore[operator]


def test_it_is_kept_until_addresses_change_or_it_ends(tmp_path: Path) -> None:
    def made(addresses: list[str], now: datetime | None = None) -> tuple[int, int]:
        files = local_certificate(tmp_path, addresses, NAMES, now)
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.certificate, files.key)
        return load(files.authority).serial_number, load(files.certificate).serial_number

    authority, own = made(ADDRESSES)
    assert made(ADDRESSES) == (authority, own)
    assert made([]) == (authority, own)
    moved = made(["10.0.0.9"])
    assert moved[0] == authority  # devices that trust it still do
    assert moved[1] != own
    later = made(["10.0.0.9"], datetime.now(UTC) + timedelta(days=380))
    assert later[0] == authority
    assert later[1] != moved[1]
    assert made(["10.0.0.9"], datetime.now(UTC) + timedelta(days=3640))[0] != authority


def test_damaged_files_are_made_anew(tmp_path: Path) -> None:
    files = local_certificate(tmp_path, ADDRESSES, NAMES)
    files.key.write_text("nothing")
    local_certificate(tmp_path, ADDRESSES, NAMES)
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.certificate, files.key)


def test_keys_are_for_their_owner_only(tmp_path: Path) -> None:
    local_certificate(tmp_path, ADDRESSES, NAMES)
    for key in tmp_path.glob("*.key"):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_another_name_is_not_vouched_for(tmp_path: Path) -> None:
    files = local_certificate(tmp_path, ADDRESSES, NAMES)
    builder = PolicyBuilder().store(Store([load(files.authority)]))
    try:
        builder.build_server_verifier(x509.DNSName("bank.example")).verify(
            load(files.certificate), []
        )
    except VerificationError:
        return
    raise AssertionError("it was")
