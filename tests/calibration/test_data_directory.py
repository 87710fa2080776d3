"""One directory for everything, wherever it is set."""

import sys
from pathlib import Path

import pytest

from api.settings import Settings
from calibration.data_directory import VARIABLES, data_directory


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home without anything of ours, and nothing set."""
    for variable in (*VARIABLES, "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize("variable", VARIABLES)
def test_either_name_sets_it_for_command_line_and_service(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "data"))
    assert data_directory() == Settings().data_dir == tmp_path / "data"


def test_the_documented_name_counts_if_both_are_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in VARIABLES:
        monkeypatch.setenv(variable, str(tmp_path / variable))
    assert data_directory() == Settings().data_dir == tmp_path / "TRAYSCORE_DATA_DIR"


@pytest.mark.parametrize("variable", VARIABLES)
def test_an_empty_setting_sets_nothing(
    variable: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "")
    assert data_directory() == Settings().data_dir == home / ".local" / "share" / "trayscore"


def test_the_platform_says_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "shared"))
    assert data_directory() == tmp_path / "shared" / "trayscore"


def test_files_at_the_former_default_are_found_until_there_are_new_ones(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = tmp_path / "shared" / "trayscore"
    monkeypatch.setattr(sys, "platform", "darwin")

    def usual_place(name: str, appauthor: bool) -> Path:
        return usual

    monkeypatch.setattr("calibration.data_directory.user_data_path", usual_place)
    former = home / "Library" / "Application Support" / "trayscore"
    assert data_directory() == usual
    former.mkdir(parents=True)
    assert data_directory() == former
    usual.mkdir(parents=True)
    assert data_directory() == usual
