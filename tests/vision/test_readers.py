"""The registry of readers: one a game, loaded when it is asked for."""

import subprocess
import sys

import pytest

from rules.errors import RulesError
from vision.readers import reader


def test_a_reader_reads_whatever_it_is_given() -> None:
    assert reader("dimension").read(b"no photo").status == "bad_image"
    assert reader().read_together([b"no photo", b""]).status == "bad_image"


def test_a_game_without_a_reader_is_refused_with_those_there_are() -> None:
    with pytest.raises(RulesError, match=r"'chess' cannot be read. Games: dimension"):
        reader("chess")


def test_the_registry_itself_loads_no_opencv() -> None:
    code = "import sys, vision.readers; print('cv2' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
