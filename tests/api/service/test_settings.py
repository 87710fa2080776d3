"""Settings come from the environment, and docs/operating.md lists them all."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from api.settings import Settings

DOCUMENT = (Path(__file__).parents[3] / "docs/operating.md").read_text("utf-8")


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_is_listed(name: str) -> None:
    (row,) = [line for line in DOCUMENT.splitlines() if f"| `TRAYSCORE_{name.upper()}` |" in line]
    field = Settings.model_fields[name]
    assert row.endswith(f"| {field.description} |")
    if field.default_factory is None and field.default not in (None, ()):
        assert f"| `{str(field.default).lower()}` |" in row.lower()


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRAYSCORE_PORT", "8080")
    monkeypatch.setenv("TRAYSCORE_ORIGINS", '["https://tray.example"]')
    monkeypatch.setenv("TRAYSCORE_DATA_DIR", str(tmp_path))
    settings = Settings()
    assert (settings.port, settings.origins) == (8080, ("https://tray.example",))
    assert settings.data_dir == tmp_path


@pytest.mark.parametrize(
    ("name", "value"),
    [("WORKERS", "0"), ("PORT", "70000"), ("READING_TIMEOUT_S", "-1"), ("LOG_LEVEL", "loud")],
)
def test_what_cannot_be_is_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"TRAYSCORE_{name}", value)
    with pytest.raises(ValidationError):
        Settings()
