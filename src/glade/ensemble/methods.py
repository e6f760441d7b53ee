"""The named methods: settings of the one loop."""

from dataclasses import dataclass, replace
from typing import Any

from glade.data.coding import AUTO_BINNED_ROWS
from glade.data.targets import CLASSIFICATION, MIXED, REGRESSION

AUTO = "auto"
PLAIN, FITTED = "plain", "fitted"  # ways to go along a boosted tree
ALL_INPUTS: dict[str, str | None] = {REGRESSION: None, MIXED: None, CLASSIFICATION: None}
SQRT_OF_CLASSES: dict[str, str | None] = {**ALL_INPUTS, CLASSIFICATION: "sqrt"}
THIRD: dict[str, str | None] = {REGRESSION: "third", MIXED: "third", CLASSIFICATION: "sqrt"}


@dataclass(frozen=True)
class Method:
    """What a method does where the user leaves a parameter at "auto"."""

    bootstrap: bool
    max_features: dict[str, str | None]  # by task
    max_samples: float | None = None  # all rows
    learning_rate: float = 0.0
    max_depth: int | None = None
    random_size: str | None = None
    random_cuts: bool = False
    draw_categories: bool = False
    exact_up_to: int = AUTO_BINNED_ROWS  # rows; more are binned

    def with_given(self, **given: Any) -> "Method":
        """The method with the parameters that are not "auto"."""
        return replace(self, **{name: value for name, value in given.items() if not is_auto(value)})


METHODS = {
    "bagging": Method(bootstrap=True, max_features=ALL_INPUTS),
    "random_forest": Method(bootstrap=True, max_features=THIRD, draw_categories=True),
    "extra_trees": Method(bootstrap=False, max_features=SQRT_OF_CLASSES, random_cuts=True, exact_up_to=2_000),
    "isle": Method(bootstrap=False, max_features=ALL_INPUTS, max_samples=0.5, random_size="leaves"),
    "boosting": Method(bootstrap=False, max_features=ALL_INPUTS, learning_rate=0.1, max_depth=3),
}


def is_auto(value: object) -> bool:
    """Whether a parameter is left to the method."""
    return isinstance(value, str) and value == AUTO
