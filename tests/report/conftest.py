"""One browser for all tests of the page; without one, or without Playwright, they skip and say so.

The browser is the Chromium that the system has.
"""

import shutil

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDE = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install 'glade[test]'"
    )
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("no Chromium on this system: install the package chromium to run the browser tests")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=found)
        yield chromium
        chromium.close()


@pytest.fixture
def show(browser, tmp_path):
    """Open a page; at the end no error, message, dialog or request must have come of it."""
    troubles, contexts = [], []

    def open_page(text, viewport=WIDE, scheme="light", fragment=""):
        contexts.append(browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce"))
        page = contexts[-1].new_page()
        page.set_default_timeout(10_000)
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_text(text)
        own = file.as_uri()

        def is_own(url):
            return url.partition("#")[0] == own or url.startswith("blob:")  # a file that the page itself has made

        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: is_own(request.url) or troubles.append(f"request: {request.url}"))
        page.goto(own + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []
