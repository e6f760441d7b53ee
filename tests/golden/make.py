"""Write the golden files: a saved model of every estimator, with what it predicted when it was saved.

Run as `python -m tests.golden.make NAME ...` to add the models of these names (see `tests/fitted.py`), or with `--all`
for those that have no file yet. A file that exists is never written again: golden files are what older versions wrote.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd

from tests.fitted import MAKERS, fit, make_new_rows

FOLDER = Path(__file__).parent
ROWS = FOLDER / "rows.csv"


def slug(name: str) -> str:
    """The file name of a model's name.

    >>> slug("tree, numbers, pruned")
    'tree-numbers-pruned'
    """
    return name.replace(",", "").replace(" ", "-")


def read_rows() -> pd.DataFrame:
    """The rows that the golden models predict, with the types they had in training."""
    rows = pd.read_csv(ROWS, dtype={"city": object, "grade": object})
    edges = rows.pop("part_left"), rows.pop("part_right")
    rows.insert(4, "part", pd.Categorical([pd.Interval(a, b, closed="right") for a, b in zip(*edges, strict=True)]))
    for name in ("city", "grade"):
        rows[name] = rows[name].where(rows[name].notna(), None)
    return rows


def write_rows() -> None:
    """Keep the rows as plain text: the edges of intervals in columns of their own."""
    rows = make_new_rows().head(60)
    part = rows.pop("part")
    rows["part_left"], rows["part_right"] = [p.left for p in part], [p.right for p in part]
    rows.to_csv(ROWS, index=False)


def list_predictions(model: Any) -> dict[str, Any]:
    """What a model says of the rows, as JSON values."""
    rows = read_rows()
    said = {"predict": model.predict(rows)}
    if hasattr(model, "predict_proba"):
        said["predict_proba"] = model.predict_proba(rows)
    if hasattr(model, "with_rules"):
        said["with_rules(3)"] = model.with_rules(3).predict(rows)
    return {name: to_plain(value) for name, value in said.items()}


def to_plain(value: Any) -> Any:
    """Arrays and dataframes as lists; a dataframe by its columns."""
    if isinstance(value, pd.DataFrame):
        return {str(name): column.tolist() for name, column in value.items()}
    if isinstance(value, dict):
        return {str(name): to_plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [to_plain(item) for item in value]
    return value.tolist()


def main(names: list[str]) -> None:
    """Write the files of these models."""
    if not ROWS.exists():
        write_rows()
    for name in MAKERS if names == ["--all"] else names:
        file = FOLDER / f"{slug(name)}.glade"
        if file.exists():
            continue
        model = fit(name)
        model.save(file)
        file.with_suffix(".json").write_text(json.dumps({"model": name, **list_predictions(model)}) + "\n")
        print(f"wrote {file.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
