"""What each link does, as formulas: the scores of a target become its values.

A link of the room `losses` has one function here, by its name, and every form of code can then write it.
"""

from collections.abc import Callable, Sequence

from glade.core.errors import InputError
from glade.exports.description import Target
from glade.exports.formulas import (
    Above,
    Clipped,
    Conditional,
    Constant,
    Exponential,
    Formula,
    Product,
    Quotient,
    StepValue,
    Total,
)
from glade.losses.links import LARGEST_EXPONENT, LEAST_SHARE

Stage = dict[str, Formula]  # steps that read earlier stages only


def add_links(scores: Sequence[StepValue], target: Target, name: str) -> tuple[list[Stage], list[str]]:
    """Return stages of steps, and the names of those that are the values of a target.

    Parameters
    ----------
    scores
        Of the target.
    target
        What is predicted.
    name
        What the names of all steps begin with.
    """
    if target.link not in LINKS:
        raise InputError(f"the link {target.link!r} of target {target.name!r} is one that exports do not know yet")
    stages = LINKS[target.link](list(scores), name)
    if not stages:
        return [], [score.name for score in scores]
    return stages, [f"{name}_{k + 1}" for k in range(target.n_values)]


def exponential(of: Formula) -> Formula:
    """An exponential that is a number, whatever it is of."""
    return Exponential(Clipped(of, -LARGEST_EXPONENT, LARGEST_EXPONENT))


def negative(of: Formula) -> Formula:
    """Minus a number."""
    return Product(Constant(-1.0), of)


def logistic(of: Formula) -> Formula:
    """1 / (1 + exp(-x))."""
    return Quotient(Constant(1.0), Total((Constant(1.0), exponential(negative(of)))))


def possible(of: Formula) -> Formula:
    """A probability that is never exactly 0 or 1."""
    return Clipped(of, LEAST_SHARE, 1.0 - LEAST_SHARE)


def _identity(scores: list[StepValue], name: str) -> list[Stage]:
    return []  # the scores are the values


def _logit(scores: list[StepValue], name: str) -> list[Stage]:
    return [{f"{name}_1": possible(logistic(negative(scores[0]))), f"{name}_2": possible(logistic(scores[0]))}]


def _log(scores: list[StepValue], name: str) -> list[Stage]:
    return [{f"{name}_1": exponential(scores[0])}]


def _softmax(scores: list[StepValue], name: str) -> list[Stage]:
    """Exponentials of the distances from the largest score, which is found first."""
    largest: Formula = scores[0]
    stages: list[Stage] = []
    for k, score in enumerate(scores[1:], start=2):
        stages.append({f"{name}_most_{k}": Conditional(Above(score, largest), score, largest)})
        largest = StepValue(f"{name}_most_{k}")
    own = {f"{name}_exp_{k + 1}": exponential(Total((score, negative(largest)))) for k, score in enumerate(scores)}
    total, shares = _divide_by_total(list(own), name)
    return [*stages, own, total, shares if len(own) == 1 else {key: possible(share) for key, share in shares.items()}]


def _shares(scores: list[StepValue], name: str) -> list[Stage]:
    own: Stage = {f"{name}_clip_{k + 1}": Clipped(score, 0.0, 1.0) for k, score in enumerate(scores)}
    return [own, *_divide_by_total(list(own), name)]


def _pair_shares(scores: list[StepValue], name: str) -> list[Stage]:
    places: Stage = {
        f"{name}_place_{k}": Total((Constant(0.5), Product(Constant(half), scores[0])))
        for k, half in ((1, -0.5), (2, 0.5))
    }
    return [places, {f"{name}_{k}": Clipped(StepValue(own), 0.0, 1.0) for k, own in enumerate(places, start=1)}]


def _divide_by_total(names: list[str], name: str) -> list[Stage]:
    """Numbers divided by their sum; where all are zero they become equal."""
    total = StepValue(f"{name}_total")
    shares: Stage = {}
    for k, own in enumerate(names, start=1):
        equal = Constant(1.0 / len(names))
        shares[f"{name}_{k}"] = Conditional(Above(total, Constant(0.0)), Quotient(StepValue(own), total), equal)
    return [{total.name: Total(tuple(StepValue(own) for own in names))}, shares]


LINKS: dict[str, Callable[[list[StepValue], str], list[Stage]]] = {
    "identity": _identity,
    "shares": _shares,
    "pair_shares": _pair_shares,
    "logit": _logit,
    "log": _log,
    "softmax": _softmax,
}
