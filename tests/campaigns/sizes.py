"""How large a campaign is: small in ``make test-all``, full in ``make campaigns``."""

import os

VARIABLE = "TRAYSCORE_CAMPAIGN"
"""Set to ``full`` for campaigns of full size; ``make campaigns`` does so."""


def is_full() -> bool:
    """Whether campaigns run at full size."""
    return os.environ.get(VARIABLE) == "full"


def size(small: int, full: int) -> int:
    """How many files, tables, kills … a campaign runs through."""
    return full if is_full() else small
