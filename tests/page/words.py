"""What the page says, in the language that it speaks just then."""

from playwright.sync_api import Page

from tests.page.source import TEXTS, entries


def said(page: Page, key: str, **values: object) -> str:
    """The words under a key, as ``t`` in i18n/index.js would say them on this page."""
    language = page.locator("html").get_attribute("lang")
    texts: dict[str, str] = {}
    for folder in TEXTS:
        texts |= entries(f"{folder}/{language}.js")
    words = texts[key]
    for name, value in values.items():
        words = words.replace(f"{{{name}}}", str(value))
    return words
