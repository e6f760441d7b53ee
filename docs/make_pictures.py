"""Take pictures with the Chromium of the system: of a report for the README, and of the site to look it over.

    python -m docs.make_pictures           # docs/pictures/report.png
    python -m docs.make_pictures --site    # build/looks/*.png: pages of build/docs, wide and narrow, light and dark

They need playwright, which `pip install "glade[test]"` brings.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from glade import MixedRuleEnsemble, load_penguins, write_report

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "pictures" / "report.png"
SITE, LOOKS = ROOT / "build" / "docs", ROOT / "build" / "looks"
PAGES = (
    "index",
    "guide/index",
    "guide/read-a-model",
    "guide/coming-from",
    "auto_gallery/index",
    "auto_gallery/plot_02_how_many_rules",
    "reference/index",
    "reference/generated/glade.RuleEnsembleRegressor",
    "methods/rule-ensembles",
    "dev/decisions",
    "dev/benchmarks",
)
SIZES = {"wide": {"width": 1400, "height": 900}, "narrow": {"width": 390, "height": 844}}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TARGETS = ["species", "body_mass_g", "flipper_length_mm"]


def write_page(folder: Path) -> Path:
    """The report that the README shows: rules for three targets of the penguins."""
    penguins = load_penguins()
    X, Y = penguins.drop(columns=TARGETS), penguins[TARGETS]
    model = MixedRuleEnsemble(max_rules=6, random_state=0).fit(X, Y)
    return write_report(model, X, Y, folder / "penguins.html", name="penguins")


def take(browser, page: Path, picture: Path, size: dict[str, int], scheme: str = "light", scale: float = 1.0) -> None:
    """Photograph the upper part of a page."""
    context = browser.new_context(
        viewport=size, color_scheme=scheme, device_scale_factor=scale, reduced_motion="reduce"
    )
    tab = context.new_page()
    tab.goto(page.as_uri())
    tab.wait_for_timeout(500)
    picture.parent.mkdir(parents=True, exist_ok=True)
    tab.screenshot(path=picture)
    context.close()


def main(arguments: list[str]) -> None:
    """Take the picture of the README, or those of the site."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        sys.exit("no Chromium on this system: install the package chromium")
    with sync_playwright() as running, tempfile.TemporaryDirectory() as folder:
        browser = running.chromium.launch(executable_path=chromium)
        if "--site" in arguments:
            for page in PAGES:
                for name, size in SIZES.items():
                    for scheme in ("light", "dark"):
                        picture = LOOKS / f"{page.replace('/', '-')}-{name}-{scheme}.png"
                        take(browser, SITE / f"{page}.html", picture, size, scheme)
        else:
            take(browser, write_page(Path(folder)), PICTURE, {"width": 1000, "height": 760})
            print(f"wrote {PICTURE.relative_to(ROOT)}, {PICTURE.stat().st_size / 1e3:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
