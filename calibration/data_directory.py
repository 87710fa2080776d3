"""Where a user's files are kept: one directory for the command line and the service."""

import os
import sys
from pathlib import Path

from platformdirs import user_data_path

VARIABLES = ("TRAYSCORE_DATA_DIR", "TRAYSCORE_DATA")
"""What sets it. The second is the command line's former name; if both are set, the first counts."""


def data_directory() -> Path:
    """The directory that the environment sets, or the platform's own for this user."""
    for variable in VARIABLES:
        if chosen := os.environ.get(variable):
            return Path(chosen)
    usual, former = user_data_path("trayscore", appauthor=False), _former_default()
    return former if former.is_dir() and not usual.is_dir() else usual


def _former_default() -> Path:
    """The default before platformdirs chose it, where some users have their files.

    It differs where the environment is unusual: on a Mac that sets ``$XDG_DATA_HOME``, or
    elsewhere if that is a relative path.
    """
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "trayscore"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "trayscore"
    shared = os.environ.get("XDG_DATA_HOME")
    return (Path(shared) if shared else Path.home() / ".local" / "share") / "trayscore"
