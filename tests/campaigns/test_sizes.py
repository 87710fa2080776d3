"""What ``make campaigns`` sets makes campaigns large."""

import pytest

from tests.campaigns.sizes import VARIABLE, size


def test_campaigns_are_small_unless_they_are_asked_to_be_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert size(small=60, full=2000) == 60
    monkeypatch.setenv(VARIABLE, "full")
    assert size(small=60, full=2000) == 2000
