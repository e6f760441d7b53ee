"""Random rows for fitted models, and what a model says of them in one array."""

import math
from typing import Any

import numpy as np
import pandas as pd

from glade.exports.describe import describe_model

N_ROWS = 10_000
UNSEEN = "seen by nobody"


def make_rows(model: Any, n_rows: int = N_ROWS, seed: int = 0) -> pd.DataFrame:
    """Rows with missing values, with categories that training never saw, and with numbers at the model's own cuts."""
    rng = np.random.default_rng(seed)
    edges = list_edges(model)
    return pd.DataFrame(
        {
            name: draw_column(rng, n_rows, kind, model.schema_.labels[j], edges.get(j, []))
            for j, (name, kind) in enumerate(zip(model.schema_.names, model.schema_.kinds, strict=True))
        }
    )


def draw_column(rng: np.random.Generator, n_rows: int, kind: str, labels: Any, edges: list[float]) -> Any:
    """A column of one kind: a tenth is missing, of categories a twentieth unseen, of numbers a fifth at a cut."""
    is_missing = rng.random(n_rows) < 0.1
    if kind == "numeric":
        known = np.array(edges or [0.0])
        width = known.max() - known.min() + 1.0
        values = rng.uniform(known.min() - width / 4, known.max() + width / 4, n_rows)
        at_cut = rng.random(n_rows) < 0.2
        values[at_cut] = rng.choice(known, at_cut.sum())
        values[is_missing] = np.nan
        return values
    values = np.empty(n_rows, object)
    values[:] = [labels[c] for c in rng.integers(0, len(labels), n_rows)]
    if all(isinstance(label, str) for label in labels):
        values[rng.random(n_rows) < 0.05] = UNSEEN
    elif all(type(label) is int for label in labels):
        values[rng.random(n_rows) < 0.05] = 987
    values[is_missing] = None
    return values


def list_edges(model: Any) -> dict[int, list[float]]:
    """Of each numeric input the numbers at which the model cuts it."""
    edges: dict[int, set[float]] = {}
    own = describe_model(model)
    conditions = [c for term in own.terms for case in (term.conditions, *term.others, *term.exceptions) for c in case]
    conditions += [node.test for of in own.sums for tree in of.trees for node in tree if node.test]
    for condition in conditions:
        edges.setdefault(condition.input, set()).update(e for e in (condition.low, condition.high) if e is not None)
    for term in own.terms:
        for curve in (*term.curves, *filter(None, (term.line,))):
            edges.setdefault(curve.input, set()).update((curve.low, curve.high))
    return {j: sorted(own) for j, own in edges.items()}


def to_plain(value: Any) -> Any:
    """A cell as every engine can hold it."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (str, bool, int, float)) else str(value)


def list_records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as dictionaries of plain values."""
    cells = [[to_plain(value) for value in column] for column in (rows[name].tolist() for name in rows)]
    return [dict(zip(rows.columns, own, strict=True)) for own in zip(*cells, strict=True)]


def list_feeds(session: Any, rows: pd.DataFrame) -> dict[str, np.ndarray]:
    """The rows as an ONNX graph takes them: a column for each input, NaN or empty text for a missing value."""
    kinds = {"tensor(string)": (object, ""), "tensor(float)": (np.float32, np.nan), "tensor(double)": (float, np.nan)}
    feeds = {}
    for own in session.get_inputs():
        kind, gap = kinds[own.type]
        cells = map(to_plain, rows[own.name].tolist())
        feeds[own.name] = np.array([[gap if cell is None else cell] for cell in cells], kind)
    return feeds


def run_onnx(content: bytes, rows: pd.DataFrame) -> pd.DataFrame:
    """What an ONNX graph gives, with the columns of the other forms."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options)
    names = [own.name for own in session.get_outputs()]
    found = dict(zip(names, session.run(None, list_feeds(session, rows)), strict=True))
    return pd.DataFrame({f"{name} {k}": own[:, k] for name, own in found.items() for k in range(own.shape[1])})


def list_outputs(model: Any) -> list[str]:
    """The columns with the values of a model, in the order of its channels."""
    names = []
    targets = model.target_schema_
    for name, classes in zip(targets.names, targets.classes, strict=True):
        plain = [] if classes is None else [to_plain(label) for label in classes.tolist()]
        names += [f"probability_{name}_{label}" for label in plain] or [f"predicted_{name}"]
    return names


def list_classes(model: Any, rows: pd.DataFrame, tolerance: float = 1e-9) -> dict[str, tuple[list[Any], np.ndarray]]:
    """For each nominal target the predicted classes, and the rows in which no two are about equally good to say."""
    values, targets = model.predict_values(model.encode(rows)), model.target_schema_
    found = {}
    for t, (name, classes) in enumerate(zip(targets.names, targets.classes, strict=True)):
        if classes is not None:
            shares, decision = values[:, targets.channels_of(t)], targets.decision_of(t)
            best = decision.pick(shares)
            if decision.costs is not None:
                shares = -shares @ np.array(decision.costs)
            own = np.sort(shares, axis=1)
            sure = own[:, -1] - own[:, -2] > tolerance if own.shape[1] > 1 else np.ones(len(own), bool)
            if decision.threshold is not None:
                sure = np.abs(shares[:, decision.event] - decision.threshold) > tolerance
            found[name] = ([to_plain(label) for label in classes[best].tolist()], sure)
    return found
