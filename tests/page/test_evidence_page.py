"""The page of an evidence bundle in a real browser, opened as a file: pictures yes, scripts no."""

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from api.evidence.bundle import parse_ledger
from api.evidence.page import page

BUNDLE = Path(__file__).parents[1] / "api" / "evidence" / "data" / "bundle-1.zip"
SCRIPT = "<script>document.title = 'ran'</script><img src=x onerror=\"document.title = 'ran'\">"


@pytest.mark.slow
def test_pictures_are_shown_and_no_script_runs(browser: Browser, tmp_path: Path) -> None:
    with zipfile.ZipFile(BUNDLE) as packed:
        packed.extractall(tmp_path)
    ledger = parse_ledger((tmp_path / "ledger.json").read_bytes())
    suffixes = {file.stem: file.suffix[1:] for file in (tmp_path / "files").iterdir()}
    text = page(ledger.table, ledger.entries, suffixes)
    shown = tmp_path / "index.html"
    shown.write_text(text.replace("</body>", f"{SCRIPT}</body>"), "utf-8")
    opened = browser.new_page()
    opened.goto(shown.as_uri(), wait_until="load")
    widths = opened.evaluate("[...document.images].map(one => one.naturalWidth)")
    assert min(widths[:-1]) >= 400
    assert opened.evaluate("getComputedStyle(document.body).maxWidth") == "960px"
    assert opened.title() == "Trayscore: Ada, Ben"
    opened.close()
