from hashlib import pbkdf2_hmac, sha256

import pytest

from api.ledger.fingerprint import fingerprint
from api.ledger.seals import Sealing, Share, commitment, seal_words

HEAD = "a" * 64
SHARES = [("b" * 64, "c" * 64), ("d" * 64, None)]


def test_words_are_made_as_docs_say() -> None:
    """By the letter of docs/trust.md, so that anybody can write it again."""
    text = f"{HEAD}\n{'b' * 64} {'c' * 64}\n{'d' * 64} -"
    slow = pbkdf2_hmac("sha256", text.encode(), b"trayscore words/1", 32_768)
    assert seal_words(HEAD, SHARES) == fingerprint(slow.hex())
    assert seal_words(HEAD, []) == fingerprint(HEAD)


def test_a_commitment_fits_one_device_at_one_seal_of_one_table() -> None:
    made = commitment("table", 1, "device", "nonce")
    lines = b"trayscore commitment/1\ntable\n1\ndevice\nnonce"
    assert made == sha256(lines).hexdigest()
    others = [
        commitment("other", 1, "device", "nonce"),
        commitment("table", 2, "device", "nonce"),
        commitment("table", 1, "other", "nonce"),
        commitment("table", 1, "device", "other"),
    ]
    assert made not in others


@pytest.mark.parametrize("changed", ["head", "first", "second", "missing", "order", "fewer"])
def test_everything_counts(changed: str) -> None:
    (first, _), (second, _) = SHARES
    others = {
        "head": ("e" * 64, SHARES),
        "first": (HEAD, [(first, "f" * 64), SHARES[1]]),
        "second": (HEAD, [SHARES[0], (second, "f" * 64)]),
        "missing": (HEAD, [(first, None), SHARES[1]]),
        "order": (HEAD, SHARES[::-1]),
        "fewer": (HEAD, SHARES[:1]),
    }
    assert seal_words(*others[changed]) != seal_words(HEAD, SHARES)


def test_words_wait_for_the_last_device() -> None:
    sealing = Sealing((Share("x", "host", "b" * 64), Share("y", "player:Ben", "d" * 64)))
    assert (sealing.complete, sealing.words) == (False, None)
    sealed = Sealing(sealing.shares, HEAD)
    assert sealed.words is None
    told = sealed.with_share(Share("x", "host", "b" * 64, "c" * 64))
    assert (told.told, told.words) == (1, None)
    assert Sealing(told.shares, HEAD, closed=True).words == seal_words(HEAD, SHARES)
