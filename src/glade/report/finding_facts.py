"""What the check of the table finds, as the page tells it: leaks first, and which inputs each finding is about."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.data.frames import RawColumn, list_columns, list_targets
from glade.evaluate.table_check import Finding, check_table

MAX_SUSPECTS = 60  # inputs that are looked at for leaks: those that matter most to the model


def describe_findings(X: Any, y: Any, model: Any, importance: NDArray[np.float64]) -> list[dict[str, Any]]:
    """All findings: the kind, the sentence, and the places of the inputs it is about."""
    inputs = to_pandas(X, model.schema_.names, list_columns)
    targets = None if y is None else to_pandas(y, model.target_schema_.names, list_targets)
    order = np.argsort(-importance, kind="stable")[:MAX_SUSPECTS]
    suspects = [model.schema_.names[j] for j in order if importance[j] > 0]
    found = check_table(inputs, targets, suspects)
    return [_tell(finding, model) for finding in found]


def _tell(finding: Finding, model: Any) -> dict[str, Any]:
    places = {name: j for j, name in enumerate(model.schema_.names)}
    inputs = [places[name] for name in finding.columns if name in places]
    return {"what": finding.what, "words": finding.sentence, "inputs": inputs}


def to_pandas(table: Any, names: Any, list_own: Callable[[Any], list[RawColumn]]) -> Any:
    """A table of any library as a dataframe of pandas with these names, for the check."""
    import pandas as pd

    if isinstance(table, pd.DataFrame):
        return table
    values = [own.values.to_list() if hasattr(own.values, "to_list") else own.values for own in list_own(table)]
    return pd.DataFrame(dict(zip(names, values, strict=True)))
