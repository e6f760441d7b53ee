"""Tables of more inputs than rows: seconds, memory and accuracy of rules beside forests.

    python benchmarks/wide.py                          arcene (10,000 inputs) and madelon (500)
    python benchmarks/wide.py --sets arcene --models "rules 20"

Models are fitted on the rows that the set names for training and judged on those named for validation, each in a
process of its own, whose peak of memory is told with what the table itself takes.
"""

import argparse
import os
import resource
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score

from glade import ForestClassifier, RuleEnsembleClassifier
from tables import load_dataset

MODELS = {
    "rules 20": lambda: RuleEnsembleClassifier(max_rules=20, random_state=0),
    "rules auto": lambda: RuleEnsembleClassifier(random_state=0),
    "rules all": lambda: RuleEnsembleClassifier(max_rules=None, random_state=0),
    "forest": lambda: ForestClassifier(100, random_state=0),
    "scikit-learn's forest": lambda: RandomForestClassifier(random_state=0, n_jobs=1),
}


def measure(name, model):
    """Fit one model here, and print its line."""
    data = load_dataset(name)
    X, y, learns = data.X.to_numpy(float), data.y.iloc[:, 0].astype(str).to_numpy(), (data.split == "train").to_numpy()
    before, start = peak_megabytes(), time.process_time()
    fitted = MODELS[model]().fit(X[learns], y[learns])
    seconds, peak = time.process_time() - start, peak_megabytes()
    area = roc_auc_score(y[~learns], fitted.predict_proba(X[~learns])[:, 1])
    accuracy = fitted.score(X[~learns], y[~learns])
    terms = f"{fitted.size_.terms:,}" if "rules" in model else ""
    print(
        f"| {name}, {learns.sum():,} x {X.shape[1]:,} | {model} | {accuracy:.3f} | {area:.3f} |"
        f" {terms} | {seconds:.1f} | {peak:,.0f} ({before:,.0f} before) |",
        flush=True,
    )


def peak_megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default="arcene,madelon")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--here", action="store_true", help="in this process")
    given = parser.parse_args()
    if given.here:
        measure(given.sets, given.models)
        return
    print("| data | model | accuracy | AUC | terms | CPU s | peak MB |\n|---|---|---|---|---|---|---|", flush=True)
    for name in given.sets.split(","):
        for model in given.models.split(","):
            subprocess.run([sys.executable, __file__, "--here", "--sets", name, "--models", model], check=True)


if __name__ == "__main__":
    main()
