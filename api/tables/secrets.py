"""Tokens, codes and PINs: made at random, kept as hashes, compared in constant time."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without I, L and O: read aloud or from a screen, they are taken for others."""

CODE_LENGTH = 6
_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}


def new_id() -> str:
    """An id for a table that nobody can guess."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(20))


def new_code() -> str:
    """A short code to join by: one of 148 million."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def spelled_code(text: str) -> str:
    """A code as people type it, in our spelling; empty if it cannot be one."""
    letters = "".join(letter for letter in text.upper() if letter not in " -")
    return letters if set(letters) <= set(CODE_LETTERS) else ""


def new_nonce() -> str:
    """A random number to make a token of."""
    return secrets.token_hex(32)


def token(secret: bytes, nonce: str) -> str:
    """The token of a random number: 256 bits that nobody can make without the service's secret."""
    made = hmac.digest(secret, f"token {nonce}".encode(), "sha256")
    return urlsafe_b64encode(made).decode().rstrip("=")


def hashed(text: str) -> str:
    """What is kept of a token. It is random enough for a plain hash."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def same(digest: str | None, other: str) -> bool:
    """Whether two hashes are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest((digest or "").encode(), other.encode())


def hashed_pin(pin: str) -> str:
    """What is kept of a PIN: few are possible, so trying them all is made slow."""
    salt = secrets.token_bytes(16)
    return f"{salt.hex()}:{hashlib.scrypt(pin.encode(), salt=salt, **_SCRYPT).hex()}"


def pin_fits(pin: str, kept: str) -> bool:
    """Whether this is the PIN."""
    salt, _, digest = kept.partition(":")
    tried = hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), **_SCRYPT).hex()
    return same(digest, tried)
