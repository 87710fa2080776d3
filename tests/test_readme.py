"""What the README shows is what happens."""

import re
import shlex
from pathlib import Path

import pytest

from api.cli import main

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"```console\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
EXAMPLES = [
    example.partition("\n")[::2]
    for block in BLOCKS
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)
    if example.startswith("trayscore ")
]


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_examples(command: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)[1:]) == 0
    # Tables are as wide as the terminal: only words and their order count.
    assert capsys.readouterr().out.split() == shown.split()
