"""The trees of the study as estimators: each grows a multi-tree by gain ratio and keeps one of its trees, or all."""

from typing import Any, Self

from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from glade.models.multitree import MultiTreeClassifier
from studies.archetype.published import (
    ALTERNATIVES,
    ARCHETYPE,
    FIRST,
    FUSED,
    INVENTED,
    KAPPA,
    OCCAM,
    THETA,
    Q,
)

USUAL_ALTERNATIVES, USUAL_INVENTED = 100, 10_000
MULTIWAY, BINARY = "multiway", "binary"
MAXIMUM, MEAN = "max", "mean"


class OneOfMany(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A multi-tree, or one of its trees.

    Parameters
    ----------
    kind
        "first tree", "fused", "archetype" or "Occam".
    n_alternatives, n_invented, similarity
        As of a multi-tree and of its archetype.
    wake, fusion
        As of a multi-tree; random as in the source, which does not name its fusion: with the maximum, not with the
        mean, many alternatives help on monks 2 as they do in its tables.
    nominal_splits
        As of a multi-tree: one branch for each value, as in C4.5, or two.
    random_state
        For what is drawn.
    """

    def __init__(
        self,
        kind: str = FUSED,
        n_alternatives: int = USUAL_ALTERNATIVES,
        n_invented: int = USUAL_INVENTED,
        similarity: str = KAPPA,
        wake: str = "random",
        fusion: str = MAXIMUM,
        nominal_splits: str = MULTIWAY,
        random_state: Any = None,
    ):
        self.kind = kind
        self.n_alternatives = n_alternatives
        self.n_invented = n_invented
        self.similarity = similarity
        self.wake = wake
        self.fusion = fusion
        self.nominal_splits = nominal_splits
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Grow, and keep what is asked for."""
        many = MultiTreeClassifier(
            0 if self.kind == FIRST else self.n_alternatives,
            wake=self.wake,
            fusion=self.fusion,
            criterion="gain_ratio",
            nominal_splits=self.nominal_splits,
            random_state=self.random_state,
        ).fit(X, y)
        self.n_solutions_ = many.n_solutions_
        if self.kind == ARCHETYPE:
            self.model_: Any = many.archetype(n_invented=self.n_invented, similarity=self.similarity)
        elif self.kind == OCCAM:
            self.model_ = many.occam()
        else:
            self.model_ = many.first() if self.kind == FIRST else many
        self.classes_, self.size_ = self.model_.classes_, self.model_.size_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class of each row."""
        labels: NDArray[Any] = self.model_.predict(X)
        return labels

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Class probabilities."""
        shares: NDArray[Any] = self.model_.predict_proba(X)
        return shares


MEAN_TOO = ((FUSED, 1000), (ARCHETYPE, 1000))
BINARY_TOO = ((FIRST, 0), (FUSED, 1000), (ARCHETYPE, 1000), (OCCAM, 1000))


def make_models(alternatives: tuple[int, ...] = ALTERNATIVES, invented: tuple[int, ...] = INVENTED) -> dict[Any, Any]:
    """All that the three tables ask for, by (kind, alternatives), similarity, number of invented rows."""
    models: dict[Any, Any] = {FIRST: OneOfMany(FIRST)}
    models |= {name_mean(kind, n): OneOfMany(kind, n, fusion=MEAN) for kind, n in MEAN_TOO if n in alternatives}
    models |= {name_binary(kind, n): OneOfMany(kind, n, nominal_splits=BINARY) for kind, n in BINARY_TOO}
    for n in alternatives:
        for kind in (FUSED, ARCHETYPE, OCCAM):
            models[name_of(kind, n)] = OneOfMany(kind, n)
    for similarity in (THETA, Q):
        models[name_of(ARCHETYPE, USUAL_ALTERNATIVES, similarity)] = OneOfMany(ARCHETYPE, similarity=similarity)
    for n in invented:
        if n != USUAL_INVENTED:
            models[name_of(ARCHETYPE, USUAL_ALTERNATIVES, n)] = OneOfMany(ARCHETYPE, n_invented=n)
    return models


def name_binary(kind: str, alternatives: int) -> str:
    """A model's name where nominal inputs are split in two.

    >>> name_binary("first tree", 0), name_binary("Occam", 1000)
    ('first tree, binary splits', 'Occam 1,000, binary splits')
    """
    return f"{kind if kind == FIRST else name_of(kind, alternatives)}, binary splits"


def name_mean(kind: str, alternatives: int) -> str:
    """A model's name where alternatives are fused by their mean.

    >>> name_mean("fused", 1000)
    'fused 1,000, by means'
    """
    return f"{name_of(kind, alternatives)}, by means"


def name_of(kind: str, alternatives: int, other: str | int | None = None) -> str:
    """A model's name: kind and alternatives, then the similarity or the invented rows where they are not the usual.

    >>> name_of("archetype", 1000), name_of("archetype", 100, "theta"), name_of("archetype", 100, 10)
    ('archetype 1,000', 'archetype 100, theta', 'archetype 100, 10 rows')
    """
    usual = other in (None, KAPPA, USUAL_INVENTED)
    more = "" if usual else f", {other}" if isinstance(other, str) else f", {other:,} rows"
    return f"{kind} {alternatives:,}{more}"
