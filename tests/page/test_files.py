"""The page's files hold together: imports, the service worker's list, the policy, sizes."""

import re
from pathlib import PurePosixPath
from posixpath import normpath

import pytest

from tests.page.source import PAGE, TEXTS, modules, text_of

MOST_LINES = 300
IMPORT = re.compile(r'(?:from|import)\s*\(?\s*"(\.[^"]+)"')
ATTRIBUTE = re.compile(r"""<[a-z][^>]*\s(style|on[a-z]+)=""")


def files() -> set[str]:
    return {path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*") if path.is_file()}


@pytest.mark.parametrize("path", modules())
def test_modules_import_files_that_exist(path: str) -> None:
    for name in IMPORT.findall(modules()[path]):
        target = normpath(PurePosixPath(path).parent / name)
        assert target in files(), f"{path} imports {name}"


@pytest.mark.parametrize("path", modules())
def test_modules_fit_in_the_head(path: str) -> None:
    texts = path.rsplit("/", 1)[0] in TEXTS
    assert texts or len(modules()[path].splitlines()) <= MOST_LINES


def test_the_service_worker_keeps_the_whole_page() -> None:
    listed = set(re.findall(r'^  "([^"]+)",$', text_of("sw.js"), re.MULTILINE))
    apart = {"index.html", "sw.js", "icons/icon-192.png", "icons/icon-512.png"}
    licences = {path for path in files() if path.endswith(".LICENSE")}
    assert listed - {"./"} == files() - apart - licences


def test_files_that_the_page_names_exist() -> None:
    named = re.findall(r'(?:href|src)="([^"#:]+)"', text_of("index.html"))
    named += re.findall(r'"src": "([^"]+)"', text_of("manifest.webmanifest"))
    assert len(named) > 10
    assert set(named) <= files()


@pytest.mark.parametrize("path", sorted(files() - {"icons/icon-192.png", "icons/icon-512.png"}))
def test_nothing_comes_from_elsewhere(path: str) -> None:
    if PurePosixPath(path).suffix not in {".js", ".css", ".html", ".webmanifest", ".svg"}:
        return
    addresses = re.findall(r"(?:https?:)?//[a-z][\w.-]+\.[a-z]{2,}[^\s\"'`]*", text_of(path))
    known = ("http://www.w3.org/",)  # names of XML dialects, not addresses
    assert [address for address in addresses if not address.startswith(known)] == []


@pytest.mark.parametrize("path", [*modules(), "index.html"])
def test_the_content_policy_is_kept(path: str) -> None:
    """No styles or handlers in attributes, no scripts in the text: the service forbids them."""
    text = text_of(path)
    assert ATTRIBUTE.findall(text) == []
    assert "<script>" not in text
    assert "<style" not in text
