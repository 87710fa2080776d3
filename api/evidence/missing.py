"""Photos that a bundle lacks: it says itself which, and why.

A service that has lost a photo, or finds it damaged, still hands out all the rest. Whoever checks
the bundle is told: that a photo is declared missing does not prove that it was lost.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from api.evidence.strict_json import strict_json
from api.ledger.chain import canonical

MISSING = "missing.json"
FORMAT = "trayscore-missing/1"
_REASONS = ("damaged", "missing")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def declaration(lost: Mapping[str, str]) -> bytes:
    """The file that says which photos are not in the bundle, by their hashes."""
    return canonical({"format": FORMAT, "lost": dict(lost)}).encode() + b"\n"


def declared(content: bytes | None) -> dict[str, str]:
    """What the bundle says is missing in it; raises ``ValueError`` if that cannot be understood."""
    if content is None:
        return {}
    told = strict_json(content)
    lost = told.get("lost") if isinstance(told, dict) and told.get("format") == FORMAT else None
    if not isinstance(lost, dict) or not lost:
        raise ValueError(f"{MISSING} is not what it should be")
    for digest, why in lost.items():
        if not _DIGEST.fullmatch(digest) or why not in _REASONS:
            raise ValueError(f"{MISSING} is not what it should be")
    return lost


def missing_notes(lost: Mapping[str, str]) -> Iterator[str]:
    """For people: what is not there."""
    for digest, why in lost.items():
        yield (
            f"The photo {digest} is not in it: the bundle itself says that it was {why} where the "
            "bundle was made."
        )


def wrong_declaration(lost: Mapping[str, str], wanted: Collection[str]) -> Iterator[str]:
    """What is said to be missing though the history does not point to it."""
    for digest in lost.keys() - set(wanted):
        yield f"{MISSING} names {digest}, which is not of this history."
