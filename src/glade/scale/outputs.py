"""What a fitted model says of a table in partitions, part by part."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.files import write_whole
from glade.data.targets import TargetSchema
from glade.scale.parts import Partition


@dataclass(frozen=True)
class PredictPart:
    """Predicts the rows of a part.

    Parameters
    ----------
    model
        A fitted estimator.
    columns
        The inputs.
    """

    model: Any
    columns: tuple[str, ...]

    def __call__(self, part: Partition) -> NDArray[np.float64]:
        """Rows x channels."""
        found = [
            self.model.predict_values(self.model.encode(block[list(self.columns)]))
            for _, block in part.read(self.columns)
        ]
        return np.concatenate(found)


@dataclass(frozen=True)
class WritePart:
    """Writes what a model says of the rows of a part to a Parquet file of the same number.

    Parameters
    ----------
    model
        A fitted estimator.
    columns
        The inputs.
    folder
        Where the files go.
    explains
        Whether contributions of terms are written rather than predictions.
    """

    model: Any
    columns: tuple[str, ...]
    folder: str
    explains: bool = False

    def __call__(self, part: Partition) -> str:
        """The name of the file, which is complete or not there."""
        import pandas as pd

        find: Callable[[Any, int], Any] = self._explain if self.explains else self._predict
        frame = pd.concat([find(block[list(self.columns)], first) for first, block in part.read(self.columns)])
        path, content = Path(self.folder) / f"{part.start:015}.parquet", io.BytesIO()
        frame.to_parquet(content, index=False)
        write_whole(path, content.getvalue())
        return str(path)

    def _predict(self, block: Any, first: int) -> Any:
        import pandas as pd

        predicted = self.model.predict(block)
        names = list(self.model.target_schema_.names)
        frame = predicted.reset_index(drop=True) if hasattr(predicted, "columns") else pd.DataFrame(predicted)
        frame.columns = names
        schema: TargetSchema = self.model.target_schema_
        if any(classes is not None for classes in schema.classes):
            values = self.model.predict_values(self.model.encode(block))
            for t, classes in enumerate(schema.classes):
                for k, label in enumerate(() if classes is None else classes):
                    frame[f"{names[t]} = {label}"] = values[:, int(schema.start[t]) + k]
        frame.insert(0, "row", np.arange(first, first + len(block)))
        return frame

    def _explain(self, block: Any, first: int) -> Any:
        frame = self.model.explain(block)
        frame["row"] += first
        return frame.astype({"target": str, "class": str, "term": str})


def write_parts(model: Any, table: Any, folder: str, explains: bool = False) -> list[str]:
    """Write a file for each part of a table of inputs, in the order of the parts; returns their names."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    work = WritePart(model, table.columns, str(folder), explains)
    return list(table.make_executor(getattr(model, "n_jobs", None)).map(work, table.parts))
