"""A certificate for the local network: browsers open the live camera on secure pages only.

A certificate authority is made once, and a certificate for this computer's addresses whenever they
change. The authority can vouch for nothing but addresses and names of local networks (it is
constrained to them), so a tablet that trusts it is not in danger if its key gets lost.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_DAYS = 3650
DAYS = 397
"""More than 398 days are not accepted by Apple's devices."""
RENEW_DAYS = 30

_LOCAL_NETWORKS = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
    *("100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10"),
)
_LOCAL_DOMAINS = ("localhost", "local", "lan", "home", "internal", "home.arpa")


@dataclass(frozen=True)
class LocalCertificate:
    """The files of a certificate, its key, and the authority that vouches for it."""

    certificate: Path
    key: Path
    authority: Path


@dataclass(frozen=True)
class _Signed:
    """A certificate with its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def local_certificate(
    folder: Path, addresses: Sequence[str], names: Sequence[str], now: datetime | None = None
) -> LocalCertificate:
    """A certificate for these addresses and names, made unless a good one is there already.

    Names that are not local ones are left out: the authority cannot vouch for them.
    """
    now = now or datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    files = LocalCertificate(folder / "service.pem", folder / "service.key", authority_file(folder))
    subjects = _subjects(addresses, names)
    authority = _load(files.authority, folder / "authority.key")
    if authority is None or _ends_soon(authority.certificate, now):
        authority = _make_authority(now)
        _save(authority, files.authority, folder / "authority.key")
        files.certificate.unlink(missing_ok=True)
    own = _load(files.certificate, files.key)
    if own is None or _ends_soon(own.certificate, now) or not _covers(own.certificate, subjects):
        _save(_make_own(authority, subjects, now), files.certificate, files.key)
    return files


def authority_file(folder: Path) -> Path:
    """Where the authority's certificate is, which devices are asked to trust."""
    return folder / "authority.pem"


def fingerprint(certificate: Path) -> str:
    """A certificate's SHA-256, as devices show it, for comparing."""
    return (
        x509.load_pem_x509_certificate(certificate.read_bytes())
        .fingerprint(hashes.SHA256())
        .hex(":")
        .upper()
    )


def _subjects(addresses: Sequence[str], names: Sequence[str]) -> list[x509.GeneralName]:
    ips = dict.fromkeys(ip_address(address) for address in ("127.0.0.1", *addresses))
    local = [name for name in names if name.rpartition(".")[2] in _LOCAL_DOMAINS]
    return [*map(x509.IPAddress, filter(_is_local, ips)), *map(x509.DNSName, local)]


def _is_local(address: IPv4Address | IPv6Address) -> bool:
    return any(address in ip_network(network) for network in _LOCAL_NETWORKS)


def _make_authority(now: datetime) -> _Signed:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"Trayscore on {os.uname().nodename if hasattr(os, 'uname') else 'this computer'}")
    allowed = [
        *(x509.IPAddress(ip_network(network)) for network in _LOCAL_NETWORKS),
        *(x509.DNSName(domain) for domain in _LOCAL_DOMAINS),
    ]
    builder = (
        _builder(name, name, key.public_key(), now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(allowed, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return _Signed(builder.sign(key, hashes.SHA256()), key)


def _make_own(authority: _Signed, subjects: list[x509.GeneralName], now: datetime) -> _Signed:
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = authority.certificate.subject
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    builder = (
        _builder(_name("Trayscore"), issuer, key.public_key(), now, DAYS)
        .add_extension(x509.SubjectAlternativeName(subjects), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(identifier, critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return _Signed(builder.sign(authority.key, hashes.SHA256()), key)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))  # clocks of tablets differ
        .not_valid_after(now + timedelta(days=days))
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _ends_soon(certificate: x509.Certificate, now: datetime) -> bool:
    return certificate.not_valid_after_utc < now + timedelta(days=RENEW_DAYS)


def _covers(certificate: x509.Certificate, subjects: Sequence[x509.GeneralName]) -> bool:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    return set(subjects) <= set(names.value)


def _load(certificate: Path, key: Path) -> _Signed | None:
    """The certificate in these files; None if they are missing or damaged."""
    try:
        private = serialization.load_pem_private_key(key.read_bytes(), None)
        signed = x509.load_pem_x509_certificate(certificate.read_bytes())
    except (OSError, ValueError):
        return None
    return _Signed(signed, private) if isinstance(private, ec.EllipticCurvePrivateKey) else None


def _save(signed: _Signed, certificate: Path, key: Path) -> None:
    """Write both files, the key readable by its owner only."""
    pem = signed.key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    key.unlink(missing_ok=True)
    with open(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # noqa: PTH123
        file.write(pem)
    certificate.write_bytes(signed.certificate.public_bytes(serialization.Encoding.PEM))
