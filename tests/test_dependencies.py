"""What the product needs is declared, bounded, and no more than it needs."""

import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from api.versions import program_version
from tests.test_architecture import ORDER, imported, modules

PROJECT: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8")
)["project"]
NEEDED = tuple(map(Requirement, PROJECT["dependencies"]))
OPTIONAL = tuple(
    Requirement(line) for extra in PROJECT["optional-dependencies"].values() for line in extra
)
UNBOUNDED = {"cryptography"}
"""Whose new major versions break nothing of ours; ``pyproject.toml`` says why."""
BROUGHT_ALONG = {
    "anyio": "fastapi",
    "starlette": "fastapi",
    "h11": "uvicorn",
    "pydantic_core": "pydantic",
}
"""Packages that another one is built on and comes with."""


@pytest.mark.parametrize("needed", [*NEEDED, *OPTIONAL], ids=str)
def test_every_dependency_has_bounds(needed: Requirement) -> None:
    operators = {bound.operator for bound in needed.specifier}
    assert operators in ({">=", "<"}, {"=="}) or needed.name in UNBOUNDED


def test_what_the_product_imports_is_declared() -> None:
    brought_by = packages_distributions()
    declared = {needed.name for needed in NEEDED}
    tops = {
        name.partition(".")[0]
        for package in ORDER
        for path in modules(package)
        for name in imported(path)
    }
    for top in tops - sys.stdlib_module_names - set(ORDER):
        names = {canonicalize_name(BROUGHT_ALONG.get(top, name)) for name in brought_by[top]}
        assert names & declared, f"{top} is imported; {', '.join(names)} is not in pyproject.toml"


def test_the_version_is_the_one_in_pyproject() -> None:
    assert program_version() == PROJECT["version"]


def test_only_one_module_asks_for_the_version() -> None:
    asking = [
        path.as_posix()
        for package in ORDER
        for path in modules(package)
        if "importlib.metadata" in set(imported(path))
    ]
    assert [path.rpartition("/api/")[2] for path in asking] == ["versions.py"]
