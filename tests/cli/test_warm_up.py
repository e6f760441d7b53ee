"""Compiling everything at once."""

import os
import shutil

import pytest

from glade.core import _compile as compiling
from glade.models import warm_up


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A place for the marks that say what is ready."""
    monkeypatch.setattr(compiling, "CACHE_FOLDER", tmp_path)
    return tmp_path


def test_the_command_says_when_it_is_ready_and_where(glade, folder, monkeypatch):
    monkeypatch.setattr(warm_up, "_use_all", lambda: None)  # it would compile into the folder
    code, out, _ = glade("warm-up")
    assert code == 0
    assert out.startswith("ready after ")
    assert str(folder) in out
    (mark,) = folder.iterdir()
    assert mark.name.startswith("fit-")


def test_what_is_ready_is_not_made_again(glade, folder, monkeypatch):
    compiling.mark_ready("fit")
    monkeypatch.setattr(warm_up, "_use_all", lambda: pytest.fail("everything was compiled"))
    assert glade("warm-up")[0] == 0


def test_the_demo_compiles_what_the_first_fit_of_another_table_needs(glade, folder, tmp_path, monkeypatch):
    done = []
    monkeypatch.setattr(warm_up, "_use_all", lambda: done.append("all"))
    assert glade("demo", "-o", str(tmp_path / "page.html"))[0] == 0
    assert done == ["all"]
    assert compiling.is_ready("fit")


def test_another_copy_of_the_package_is_not_ready(folder, tmp_path_factory, monkeypatch):
    """Nor is the same one where it was installed anew: Numba would compile for it."""
    files = tmp_path_factory.mktemp("package")
    source, copy = files / "_kernels.py", files / "_same.py"
    source.write_text("text")
    shutil.copy2(source, copy)
    monkeypatch.setattr(compiling, "_find_sources", lambda: [source])
    compiling.mark_ready("fit")
    assert compiling.is_ready("fit")
    monkeypatch.setattr(compiling, "_find_sources", lambda: [copy])
    assert not compiling.is_ready("fit")
    monkeypatch.setattr(compiling, "_find_sources", lambda: [source])
    assert compiling.is_ready("fit")
    os.utime(source, (0, 0))
    assert not compiling.is_ready("fit")


def test_soft_rules_are_compiled_where_they_are_asked_for(folder, monkeypatch):
    done = []
    monkeypatch.setattr(warm_up, "_use_all", lambda: done.append("fit"))
    monkeypatch.setattr(warm_up, "_use_soft", lambda: done.append("soft"))
    warm_up.warm_up()
    warm_up.warm_up(soft=True)
    assert done == ["fit", "soft"]


def test_after_it_no_fit_compiles_anything(start_fresh):
    """A process that has warmed up compiles nothing more for tables of any kind."""
    assert start_fresh(CODE) == "0"


CODE = """
import warnings
warnings.simplefilter("ignore")
import numpy as np, pandas as pd
from numba.core import event
from glade import ForestClassifier, MixedRuleEnsemble, RuleEnsembleClassifier, RuleEnsembleRegressor, RuleFitRegressor
from glade.models.warm_up import _use_all
_use_all()

class Counter(event.Listener):
    n = 0
    def on_start(self, compilation):
        Counter.n += 1
    def on_end(self, compilation):
        pass

event.register("numba:compile", Counter())
random = np.random.default_rng(0)
X = pd.DataFrame(random.random((2_100, 4)), columns=list("abcd"))
y = X["a"] + (X["b"] > 0.5)
few = X.iloc[:150].assign(n=random.choice(list("xyz"), 150))
RuleEnsembleRegressor(max_rules=4, cv=2, random_state=0).fit(X, y).predict(X.to_numpy()[:3])
RuleEnsembleRegressor(max_rules=4, random_state=0).fit(few, np.column_stack([y[:150], y[:150] ** 2]))
RuleEnsembleClassifier(max_rules=4, random_state=0).fit(few, np.digitize(y[:150], [0.5, 1.0])).predict_proba(few)
MixedRuleEnsemble(max_rules=4, random_state=0).fit(few, pd.DataFrame({"number": y[:150], "kind": few["n"]}))
RuleFitRegressor(max_rules=4, random_state=0).fit(few, y[:150])
ForestClassifier(3, method="boosting", random_state=0).fit(few, y[:150] > 1).predict(few)
print(Counter.n)
"""


@pytest.fixture
def start_fresh():
    import subprocess
    import sys

    def run(code):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()

    return run
