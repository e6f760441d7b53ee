"""The page of a table of 10,000 rows and 30 inputs: its size, and when it first answers a what-if after it is opened.

python benchmarks/page.py
"""

import json
import shutil
import statistics
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from glade import (
    ForestClassifier,
    MixedRuleEnsemble,
    RuleEnsembleClassifier,
    RuleFitClassifier,
    TreeClassifier,
    write_report,
)
from measuring import cpu_seconds

N_ROWS, N_INPUTS, REPEATS = 10_000, 30, 7
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Another value is typed into the first field, and the answer is read; the clock of a page starts with the navigation.
ASK = """() => {
  const interactive = performance.getEntriesByType("navigation")[0].domInteractive;
  const begin = performance.now();
  const field = document.querySelector(".inputs-of-row .input input[type=text], .inputs-of-row .input select");
  if (field.tagName === "SELECT") field.selectedIndex = (field.selectedIndex + 1) % field.length;
  else field.value = String(Number(field.value) + 1);
  field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
  const now = document.querySelector(".now");
  const answer = now.getBoundingClientRect().height > 0 && now.innerText;
  return { parsed: interactive, answered: performance.now(), change: performance.now() - begin, answer };
}"""


def make_table():
    """Twenty-four numbers, one with gaps, and six categories; a class that some of them decide, and a number."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(N_ROWS, N_INPUTS)).round(3), columns=[f"input {j}" for j in range(N_INPUTS)])
    for j in range(24, N_INPUTS):
        X[f"input {j}"] = rng.choice([f"label {k}" for k in range(8)], N_ROWS)
    X.loc[rng.random(N_ROWS) < 0.1, "input 3"] = np.nan
    score = X["input 0"] + X["input 1"] * X["input 2"] + 2.0 * (X["input 24"] == "label 1") + rng.normal(size=N_ROWS)
    return X, pd.DataFrame({"ill": np.where(score > 1.5, "yes", "no"), "amount": score.round(3)})


def list_models():
    """Each with its targets."""
    grove = ForestClassifier(100, max_depth=4, random_state=0)
    return {
        "20 rules": (RuleEnsembleClassifier(grove, max_rules=20, cv=2, random_state=0), ["ill"]),
        "rules of two targets": (MixedRuleEnsemble(max_rules=20, cv=2, random_state=0), ["ill", "amount"]),
        "rulefit": (RuleFitClassifier(cv=2, random_state=0), ["ill"]),
        "tree of 200 leaves": (TreeClassifier(max_leaf_nodes=200), ["ill"]),
        "forest of 100 small trees": (grove, ["ill"]),
    }


def open_page(browser, file):
    """One opening in a fresh context: milliseconds until the page was parsed, and until it answered; and the answer."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.goto(file.as_uri())
    told = page.evaluate(ASK)
    context.close()
    return told


def measure(browser, folder, name, model, X, y):
    model.fit(X, y if y.shape[1] > 1 else y.iloc[:, 0])
    file = Path(folder) / f"{name.replace(' ', '-')}.html"
    seconds, _ = cpu_seconds(lambda: write_report(model, X, y, file, name="table.csv"), 1)
    told = [open_page(browser, file) for _ in range(REPEATS)]
    assert all(own["answer"] for own in told), name
    parsed, answered, change = (statistics.median(own[key] for own in told) for key in ("parsed", "answered", "change"))
    text = file.read_text()
    begin = text.index('id="facts">') + len('id="facts">')
    facts = json.loads(text[begin : text.index("</script>", begin)])
    n_shown = len(facts["sample"]["x"])
    print(
        f"{name:<27}{len(text.encode()) / 1e6:6.2f} MB  {n_shown:6,} rows  {seconds:6.2f} s of CPU to write "
        f" drawn after {parsed:5.0f} ms  what-if answered after {answered:5.0f} ms  the change itself {change:5.1f} ms",
        flush=True,
    )


def main():
    from playwright.sync_api import sync_playwright

    X, y = make_table()
    with sync_playwright() as running, tempfile.TemporaryDirectory() as folder:
        browser = running.chromium.launch(executable_path=next(filter(None, map(shutil.which, BROWSERS))))
        for name, (model, targets) in list_models().items():
            measure(browser, folder, name, model, X, y[targets])
        browser.close()


if __name__ == "__main__":
    main()
