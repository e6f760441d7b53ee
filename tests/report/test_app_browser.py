"""The app in a browser: a table is dropped, a target ticked, a tree fitted, and its page opened."""

import threading

import pytest

from glade import load_penguins
from glade.app.server import App
from glade.app.work import AppFolder


def test_a_person_gets_from_a_file_to_the_page(browser):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    troubles = []
    with AppFolder() as work, App(work) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        context = browser.new_context(viewport={"width": 1000, "height": 900})
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text))
        own = f"http://127.0.0.1:{server.server_port}/"
        page.on("request", lambda request: request.url.startswith(own) or troubles.append(request.url))
        page.goto(server.address)
        hostile = load_penguins().rename(columns={"year": "<img src=x onerror=window.fired=1>"})
        page.locator("#file").set_input_files(
            {"name": "penguins.csv", "mimeType": "text/csv", "buffer": hostile.to_csv(index=False).encode()}
        )
        page.get_by_label("predict body_mass_g").check()
        page.get_by_label("leave out <img src=x onerror=window.fired=1>").check()
        page.get_by_role("button", name="Check the table").click()
        page.locator("#check-words").filter(has_text="344 rows").wait_for()
        page.get_by_label("Kind").select_option("tree")
        assert axe.Axe().run(page).response["violations"] == []
        page.get_by_label("predict sex").check()
        assert page.get_by_label("Look for (sex)").count() == 0  # beside a number nothing is looked for
        page.get_by_label("predict body_mass_g").uncheck()
        page.get_by_label("Look for (sex)").select_option("female")
        assert axe.Axe().run(page).response["violations"] == []
        page.get_by_role("button", name="Fit the model").click()
        page.get_by_role("link", name="Open the page").wait_for(timeout=120_000)
        with context.expect_page() as opened:
            page.get_by_role("link", name="Open the page").click()
        report = opened.value
        report.wait_for_load_state()
        assert "sex" in report.locator("h1").inner_text()
        assert report.evaluate("gladeReport.facts.targets[0].classes[gladeReport.facts.events[0]]") == "female"
        assert report.locator("#case .now strong").inner_text()
        assert page.evaluate("window.fired") is None
        context.close()
        server.shutdown()
        thread.join()
    assert troubles == []
