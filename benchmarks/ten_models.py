"""Ten models printed in full, each checked against the list of what a person can ask of a model that is to be read.

    python benchmarks/ten_models.py docs/dev/ten-models.md        writes the page; --only penguins jura for some of them

Settings are the defaults but for `max_rules=10, random_state=0`; at most 4,000 rows of each set, drawn at random. The
list: at most 3 conditions a rule; at most 3 digits a cut; at most 6 categories a set; no rule of one condition on more
than half of the rows; no idle term; every sign agrees with what was observed inside and outside of the rule, or the
rule is marked as a correction; no input that `glade check` suspects of telling a target; what every row gets is
within one standard deviation of the mean, or a class that no fewer rows have than if all were equally common. The page
says which points a model fails.
"""

import argparse
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from glade import MixedRuleEnsemble, RuleEnsembleClassifier, RuleEnsembleRegressor, load_penguins
from glade.core.threads import count_threads, share_threads
from glade.evaluate.table_check import check_table
from glade.explain.readability import Readability
from tables import load_real

SETS = ("hepatitis", "pbc", "penguins", "car_msrp", "wq", "collembola", "house_8L", "jura", "thyroid", "bias_ucl")
NAMES = {"car_msrp": "cars", "wq": "water quality"}
N_RULES, N_ROWS = 10, 4_000
MOST_CONDITIONS, MOST_DIGITS, MOST_CATEGORIES = 3, 3, 6
AGAINST = 1e-9  # of a standard deviation
HEAD = """# Ten models in full

`python benchmarks/ten_models.py docs/dev/ten-models.md` fits, prints and checks them: default settings but for
`max_rules=10, random_state=0`, at most 4,000 rows a set. Each is checked against a list: at most 3 conditions a rule,
3 digits a cut and 6 categories a set; no rule of one condition on the larger side; no idle term; every sign agrees with
what was observed inside and outside of the rule, or the rule is named as a correction of others; no input that
`glade check` suspects of telling a target; what every row gets is near a common row. The tables of the sets are not
part of this repository, but for the penguins.
"""


def load_rows(name):
    """Inputs and targets, with all rows in which every target is known."""
    if name == "penguins":
        table = load_penguins()
        targets = ["species", "body_mass_g", "flipper_length_mm"]
        X, y = table.drop(columns=targets), table[targets]
    else:
        X, y = load_real(name)
    known = ~y.isna().any(axis=1)
    X, y = X[known], y[known]
    rows = np.sort(np.random.default_rng(0).permutation(len(X))[:N_ROWS])
    return X.iloc[rows].reset_index(drop=True), y.iloc[rows].reset_index(drop=True)


def fit(X, y):
    numeric = [pd.api.types.is_numeric_dtype(kind) for kind in y.dtypes]
    kind = RuleEnsembleRegressor if all(numeric) else MixedRuleEnsemble if any(numeric) else RuleEnsembleClassifier
    return kind(max_rules=N_RULES, random_state=0).fit(X, y)


def spread_targets(model, y):
    """Rows x channels: numbers, and zeros and ones of classes, in the order of the model's effects."""
    parts = []
    for t, classes in enumerate(model.target_schema_.classes):
        column = y.iloc[:, t]
        if classes is None:
            parts.append(column.to_numpy(float)[:, None])
        else:
            text = column.astype(str).to_numpy()
            parts.append((text[:, None] == np.array([str(label) for label in classes])).astype(float))
    return np.hstack(parts)


def find_corrections(model, X, y):
    """Of each rule the targets whose observed mean inside differs from that outside in the other direction."""
    channels, covered = spread_targets(model, y), model.transform(X)[:, : len(model.rules_)] > 0
    schema, change, spread = model.target_schema_, model.terms_.change, model.terms_.spread
    found = {}
    for k, inside in enumerate(covered.T):
        difference = channels[inside].mean(axis=0) - channels[~inside].mean(axis=0)
        for t, name in enumerate(schema.names):
            at = schema.channels_of(t)
            told = at.start + int(np.abs(change[k, at] / spread[at]).argmax())  # what the list names
            if change[k, told] * difference[told] < -AGAINST * spread[told] ** 2:
                found.setdefault(k + 1, []).append(str(name))
    return found


def is_common(model, y):
    """Whether what every row gets is within one deviation of the mean, or a class with its part of the rows."""
    channels, typical = spread_targets(model, y), model.terms_.typical
    mean, spread = channels.mean(axis=0), channels.std(axis=0)
    for t, classes in enumerate(model.target_schema_.classes):
        at = model.target_schema_.channels_of(t)
        if classes is None and (np.abs(typical[at] - mean[at]) > spread[at]).any():
            return False
        if classes is not None and mean[at][typical[at].argmax()] < min(1 / len(classes), mean[at].max()):
            return False
    return True


def find_suspects(model, X, y):
    """The inputs of the model that tell a target by themselves, as `glade check` says."""
    used = {model.schema_.names[j] for j in np.flatnonzero(model.feature_importances_ > 0)}
    with share_threads(count_threads(None)):
        findings = check_table(X, y)
    return sorted({str(name) for own in findings if own.what == "leaking" for name in own.columns if name in used})


def list_checks(model, X, y):
    """Each point of the list, whether it is kept, and what there is to say of it."""
    read = Readability.of(model.model_)
    corrections, suspects = find_corrections(model, X, y), find_suspects(model, X, y)
    marked = "; ".join(f"rule {k} corrects others for {', '.join(names)}" for k, names in corrections.items())
    return [
        (f"longest rule: {read.longest}", read.longest <= MOST_CONDITIONS),
        (f"most digits of a cut: {read.most_digits}", read.most_digits <= MOST_DIGITS),
        (f"most categories of a set: {read.most_categories}", read.most_categories <= MOST_CATEGORIES),
        (f"rules of one condition on the larger side: {read.wrong_side}", read.wrong_side == 0),
        (f"idle terms: {read.idle_terms}", read.idle_terms == 0),
        (f"signs against what was observed: {marked or 'none'}", True),
        (f"suspected inputs: {', '.join(suspects) or 'none'}", not suspects),
        ("what every row gets is near a common row", is_common(model, y)),
    ]


def describe(name):
    """The section of a set, and how many points its model fails."""
    X, y = load_rows(name)
    model = fit(X, y)
    checks = list_checks(model, X, y)
    failed = [text for text, is_kept in checks if not is_kept]
    lines = [f"## {NAMES.get(name, name)}", "", f"{len(X):,} rows, {X.shape[1]} inputs.", "", "```text"]
    lines += [model.to_text(), "```", ""]
    for text, is_kept in checks:
        lines.append(textwrap.fill(f"- {'kept' if is_kept else '**not kept**'}: {text}", 128, subsequent_indent="  "))
    return "\n".join(lines), failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", nargs="?")
    parser.add_argument("--only", nargs="+", default=SETS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    sections, summary = [], []
    for name in given.only:
        section, failed = describe(name)
        sections.append(section)
        summary.append(f"{NAMES.get(name, name)}: {'; '.join(failed) or 'all points kept'}")
        print(summary[-1], flush=True)
    if given.page:
        Path(given.page).write_text("\n".join([HEAD, "\n\n".join(sections)]) + "\n")
    else:
        print("\n\n".join(sections))


if __name__ == "__main__":
    main()
