"""What README and documents show is what happens, and their links lead somewhere."""

import re
import shlex
from pathlib import Path

import pytest

from api.cli import main

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
BLOCKS = [
    block
    for document in DOCUMENTS
    for block in re.findall(r"```console\n(.*?)```", document.read_text("utf-8"), re.DOTALL)
]
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


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files_of_the_repository(document: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", document.read_text("utf-8")):
        assert (document.parent / link).is_file(), f"{document.name}: {link}"


def test_the_readme_is_one_screen() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 60
