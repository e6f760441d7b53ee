"""Going on from the trees of the fit before."""

from numbers import Integral
from typing import Any, NamedTuple

from glade.core.notices import warn_user
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.ensemble.forest import Forest


class TreesBefore(NamedTuple):
    """What a fit with `warm_start` goes on from."""

    forests: list[Forest]
    seed: int
    inputs: Schema
    targets: TargetSchema

    def check_same(self, inputs: Schema, targets: TargetSchema, n_forests: int) -> None:
        """Trees grown before must read what new ones read, and predict what they predict."""
        classes = [[None if c is None else c.tolist() for c in t.classes] for t in (self.targets, targets)]
        same_inputs = (inputs.names, inputs.labels) == (self.inputs.names, self.inputs.labels)
        same_targets = targets.names == self.targets.names and classes[0] == classes[1]
        if not (same_inputs and same_targets and n_forests == len(self.forests)):
            raise ValueError(
                "warm_start goes on from trees for other inputs, targets or labels: set it to False to start anew"
            )


def find_before(model: Any) -> TreesBefore | None:
    """The trees a forest estimator is to keep, if there are any and `warm_start` says so."""
    if not (model.warm_start and "forests_" in vars(model)):
        return None
    before = TreesBefore(model.forests_, model.seed_, model.schema_, model.target_schema_)
    n_before = max(len(forest.trees) for forest in before.forests)
    wanted = model.n_estimators
    if isinstance(wanted, Integral) and int(wanted) < n_before:
        raise ValueError(
            f"n_estimators={wanted} must be larger or equal to the {n_before} trees there are, with warm_start=True"
        )
    if isinstance(wanted, Integral) and int(wanted) == n_before:
        warn_user(f"there are {n_before} trees already: with warm_start, raise n_estimators to grow more")
    return before
