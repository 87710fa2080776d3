"""Arrows point one way: api → vision → calibration → rules. Nothing imports upward."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ORDER = ("rules", "calibration", "vision", "api")
OURS = (*ORDER, "lab", "tests")


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield node.module or ""


@pytest.mark.parametrize("package", ORDER)
def test_imports_point_downward(package: str) -> None:
    allowed = ORDER[: ORDER.index(package) + 1]
    assert modules(package)
    for path in modules(package):
        for name in imported(path):
            top = name.partition(".")[0]
            assert top not in OURS or top in allowed, f"{path.relative_to(ROOT)} imports {name}"


REGISTRIES = {
    "rules/games.py",
    "calibration/profiles.py",
    "vision/readers.py",
    "api/games/registry.py",
}
"""Where the games are told: one place a layer."""

BELOW_API = ("rules", "calibration", "vision", "lab")

BEFORE_GAMES = {"api/storage/migrations/versions/r0003_games.py"}
"""What says for good which game there was when none was named."""


GAMES = tuple(sorted(folder.parent.name for folder in (ROOT / "rules").glob("*/__init__.py")))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("package", [*BELOW_API, "api"])
def test_nothing_outside_a_games_folders_names_the_game(package: str, game: str) -> None:
    name = re.compile(rf"(?<![a-z]){game}(?![a-z])", re.IGNORECASE)  # a picture has dimensions
    for path in modules(package):
        place = path.relative_to(ROOT).as_posix()
        if game not in place and place not in REGISTRIES | BEFORE_GAMES:
            assert not name.search(path.read_text("utf-8")), place


@pytest.mark.parametrize("game", GAMES)
def test_no_module_outside_a_games_folders_imports_it(game: str) -> None:
    """Not even a registry: it names the part, and imports it when it is asked for."""
    for path in (path for package in ORDER for path in modules(package)):
        place = path.relative_to(ROOT).as_posix()
        if game not in place and place not in REGISTRIES:
            folders = [name.split(".") for name in imported(path)]
            assert not any(game in folder for folder in folders), place


@pytest.mark.parametrize("registry", sorted(REGISTRIES))
def test_a_registry_loads_a_game_only_when_asked(registry: str) -> None:
    """Scoring a layout must not wait for OpenCV."""
    body = ast.parse((ROOT / registry).read_text("utf-8")).body
    at_once = [node.module or "" for node in body if isinstance(node, ast.ImportFrom)]
    assert at_once
    assert not any(game in name for game in GAMES for name in at_once)


@pytest.mark.parametrize("game", GAMES)
def test_no_two_classes_have_one_name(game: str) -> None:
    """Another game's table is a table too; but beside one's own there is no second one."""
    others = [other for other in GAMES if other != game]
    named: dict[str, Path] = {}
    for path in (path for package in BELOW_API for path in modules(package)):
        if any(other in path.relative_to(ROOT).as_posix() for other in others):
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                assert node.name not in named, f"{node.name}: {path} and {named[node.name]}"
                named[node.name] = path


def test_rules_need_nothing_but_python_and_numpy() -> None:
    tops = {name.partition(".")[0] for path in modules("rules") for name in imported(path)}
    assert tops - sys.stdlib_module_names <= {"rules", "numpy"}


@pytest.mark.parametrize("package", [*ORDER, "lab"])
def test_modules_fit_in_the_head(package: str) -> None:
    for path in modules(package):
        assert len(path.read_text("utf-8").splitlines()) <= 450, path


def room(name: str) -> str:
    """The room of ``api`` that a module is in; a loose module is a room by itself.

    So is the registry of games: rooms ask it for what a game adds, and games need those rooms.
    """
    return name if name == "api.games.registry" else name.split(".")[1]


def test_no_two_rooms_of_api_need_each_other() -> None:
    needs: dict[str, set[str]] = {}
    for path in modules("api"):
        if path.name == "__init__.py" and path.parent.name == "api":
            continue
        here = room(".".join(path.relative_to(ROOT).with_suffix("").parts))
        there = {room(name) for name in imported(path) if name.startswith("api.")}
        needs[here] = needs.get(here, set()) | there - {here}
    mutual = [(a, b) for a in needs for b in needs[a] if a < b and a in needs.get(b, ())]
    assert mutual == []
