"""The stored form of rules, terms with weights, and the path of models from small to large."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from glade.core.errors import ModelFileError
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.losses.logistic import Logistic
from glade.losses.registry import make_deviance, make_loss
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.models.held_out import NEVER, HeldOutPredictions
from glade.models.intervals import Residuals, Spread
from glade.models.saved.parts import FilePart, join_arrays, require
from glade.rules.design import Design
from glade.rules.hard import HardRules, WholeTrees
from glade.rules.kinds import KINDS
from glade.rules.model import RuleModel
from glade.rules.observed import Observed
from glade.rules.path import Step, WeightPath
from glade.rules.scores import Scores
from glade.rules.weighted import MeasuredTerms

OF_TERM = ("rows", "share", "deviation")
OBSERVED, OF_OBSERVED = "observed", ("inside", "outside", "error")


def store_design(design: Design) -> dict[str, Any]:
    """The blocks, each in a part of its kind."""
    return {block.stored_as: block.store() for block in design.blocks}


def read_design(part: FilePart, schema: Schema, targets: TargetSchema, of_whole_trees: bool) -> Design:
    """The blocks of all kinds that there are."""
    blocks = [kind.read(part.part(kind.stored_as), schema, targets) for kind in KINDS if kind.stored_as in part]
    require(blocks and isinstance(blocks[0], HardRules), "a rule ensemble has no rules")
    rules, *others = blocks
    return Design.of(WholeTrees(rules.rules) if of_whole_trees else rules, *others)  # type: ignore[attr-defined, arg-type]


def store_measured(terms: MeasuredTerms) -> dict[str, Any]:
    """The terms that a path of models chooses from, and what the training rows say of them."""
    columns = {name: getattr(terms, name) for name in OF_TERM}
    observed = {} if terms.observed is None else {name: getattr(terms.observed, name) for name in OF_OBSERVED}
    return {"design": store_design(terms.design), **columns, **({OBSERVED: observed} if observed else {})}


def read_measured(part: FilePart, schema: Schema, targets: TargetSchema, of_whole_trees: bool) -> MeasuredTerms:
    """The terms that a path of models chooses from."""
    design = read_design(part.part("design"), schema, targets, of_whole_trees)
    columns: dict[str, Any] = {name: part.numbers(name, len(design)) for name in OF_TERM}
    if OBSERVED not in part:  # of an older glade
        return MeasuredTerms(design, **columns)
    own, shape = part.part(OBSERVED), (len(design), int(targets.start[-1]))
    observed = {name: own.array(name, np.float64, *shape) for name in OF_OBSERVED}
    require(not any(np.isinf(values).any() for values in observed.values()), "what was observed is infinite")
    return MeasuredTerms(design, **columns, observed=Observed(**observed))


def check_sums(design: Design, path: WeightPath, scores: Scores) -> None:
    """Whatever terms are on in a row, and however far, the score that each step of the path gives it is a number."""
    with np.errstate(over="ignore", invalid="ignore"):
        most_of_term = design.most
        for step in path.steps:
            effect = np.abs(scores.effects(step.weights)) * most_of_term[step.terms][:, None]
            most = np.abs(scores.offset(step.offset)) + effect.sum(axis=0)
            require(np.isfinite(most).all(), "the terms of a model add up to more than a number can be")


def store_scores(scores: Scores) -> dict[str, Any]:
    """The way from sums of terms to predictions, without the targets, which the model has."""
    losses = scores.losses.losses
    content = {"losses": [loss.name for loss in losses], "mean": scores.mean, "unit": scores.unit}
    settings = [loss.settings for loss in losses]
    return {**content, "spread": scores.spread, **({"settings": settings} if any(settings) else {})}


def read_scores(part: FilePart, targets: TargetSchema) -> Scores:
    """The way from sums of terms to predictions of these targets."""
    losses, join = read_losses(part, targets)
    mean, unit = (part.numbers(name, len(join)) for name in ("mean", "unit"))
    spread = part.numbers("spread", int(targets.start[-1]))
    require((spread > 0).all() and (unit > 0).all(), "a target does not vary")
    own = join.argmax(axis=0)  # the column that each score has its mean and unit from
    return Scores(targets, losses, mean[own], unit[own], spread)


def _read_old_losses(is_logistic: bool, sizes: list[int | None]) -> tuple[TargetLosses, NDArray[np.float64]]:
    """The losses of a file before glade 0.2, which stored no names, and where two log-odds shared one by halves."""
    make_old = make_deviance if is_logistic else Squared.of
    losses = TargetLosses.of([make_old(n) for n in sizes])
    halves = np.array([[-1.0], [1.0]])
    columns = (halves if loss.name == Logistic.name else np.eye(loss.n_scores) for loss in losses.losses)
    return losses, block_diag(*columns)


def read_losses(part: FilePart, targets: TargetSchema) -> tuple[TargetLosses, NDArray[np.float64]]:
    """The losses of the targets, and what each stored column (rows of the matrix) counts for each of their scores."""
    sizes = [None if classes is None else len(classes) for classes in targets.classes]
    if "is_logistic" in part:
        return _read_old_losses(part.value("is_logistic", bool), sizes)
    names = part.value("losses", list)
    require(len(names) == len(sizes) and all(isinstance(name, str) for name in names), "a target has no loss")
    settings = part.value("settings", list) if "settings" in part else [{}] * len(names)
    require(len(settings) == len(names) and all(map(_are_settings, settings)), "the loss of a target has no settings")
    try:
        losses = TargetLosses.of([make_loss(name, n, own) for name, n, own in zip(names, sizes, settings, strict=True)])
    except ValueError as fault:
        raise ModelFileError(str(fault)) from None
    return losses, np.eye(losses.n_scores)


def _are_settings(given: Any) -> bool:
    return isinstance(given, dict) and all(isinstance(value, float) for value in given.values())


def store_path(path: WeightPath) -> dict[str, Any]:
    """All steps in a row."""
    n_targets = len(path.steps[0].offset)
    behind = [step.difference_error for step in path.steps if step.difference_error is not None]
    return {
        "length": np.array([len(step.terms) for step in path.steps], np.int64),
        "terms": join_arrays([step.terms for step in path.steps], np.int64),
        # + 0.0: what is read is a product with `join`, in which no zero is negative
        "weights": np.concatenate([step.weights.reshape(-1, n_targets) for step in path.steps]) + 0.0,
        "offset": np.array([step.offset for step in path.steps]) + 0.0,
        "error": np.array([step.error for step in path.steps]),
        "standard_error": np.array([step.standard_error for step in path.steps]),
        "n_iterations": int(path.n_iterations),
        **({"difference_error": np.array(behind)} if len(behind) == len(path.steps) else {}),
    }


def read_path(part: FilePart, group: NDArray[np.int64], join: NDArray[np.float64]) -> WeightPath:
    """Steps from small to large, each of some terms, of which these groups count as one.

    The first has no term, but for some files that glade 0.1 wrote.

    Parameters
    ----------
    part
        The path.
    group
        Of each term.
    join
        What each stored column counts for each score.
    """
    n_terms, n_columns = len(group), len(join)
    terms = part.array("terms", np.int64, None)
    length = part.lengths("length", None, len(terms))
    require(len(length), "a path has no step")
    require((length >= np.arange(len(length))).all(), "the steps of a path do not grow")  # before there is one each
    require(((terms >= 0) & (terms < n_terms)).all(), "a step names a term that there is not")
    ends = np.cumsum(length)
    starts_step = np.zeros(len(terms) + 1, bool)
    starts_step[ends - length] = True
    require((starts_step[:-1] | (np.diff(terms, prepend=-1) > 0)).all(), "the terms of a step do not ascend")
    weights = part.numbers("weights", len(terms), n_columns) @ join
    offset = part.numbers("offset", len(length), n_columns) @ join
    errors: list[NDArray[np.float64]] = [part.numbers(name, len(length)) for name in ("error", "standard_error")]
    behind = part.numbers("difference_error", len(length)).tolist() if "difference_error" in part else None
    n_iterations = part.value("n_iterations", int)
    require(n_iterations >= 0, "a path took less than no steps")
    steps = (
        Step(
            terms[end - n : end],
            weights[end - n : end],
            offset[k],
            float(errors[0][k]),
            float(errors[1][k]),
            len(np.unique(group[terms[end - n : end]])),
            difference_error=None if behind is None else behind[k],
        )
        for k, (n, end) in enumerate(zip(length.tolist(), ends.tolist(), strict=True))
    )
    path = WeightPath(tuple(steps), n_iterations)
    require((np.diff([step.size for step in path.steps]) > 0).all(), "the steps of a path do not grow")
    return path


def store_rule_model(model: RuleModel) -> dict[str, Any]:
    """A path of models of weighted terms, and which of its steps is the model."""
    return {
        "terms": store_measured(model.measured),
        "scores": store_scores(model.scores),
        "path": store_path(model.path),
        "changes": np.concatenate(model.changes),
        "chosen": model.place,
    }


def store_held_out(held_out: HeldOutPredictions) -> dict[str, Any]:
    """Predictions of the training rows by models of folds, and how many of these have each term."""
    state = {"values": held_out.values, "fold": held_out.fold}
    return state if held_out.comes_back is None else state | {"comes_back": held_out.comes_back}


def read_held_out(part: FilePart, targets: TargetSchema, n_terms: int) -> HeldOutPredictions:
    """Predictions of the training rows, of which a whole row may be unknown."""
    values = part.array("values", np.float64, None, int(targets.start[-1]))
    is_known = np.isfinite(values)
    require((is_known.all(axis=1) == is_known.any(axis=1)).all(), "the prediction of a row is known in part")
    require(not np.isinf(values).any(), "a prediction of a row is infinite")
    fold = part.array("fold", np.int64, len(values))
    require((fold >= NEVER).all() and (fold < len(fold)).all(), "the number of a fold is out of range")
    require(((fold == NEVER) == ~is_known.all(axis=1)).all(), "a row has a fold and no prediction, or the reverse")
    if "comes_back" not in part:
        return HeldOutPredictions(values, fold)
    comes_back = part.array("comes_back", np.float64, n_terms)
    require(((comes_back >= 0) & (comes_back <= 1)).all(), "a term comes back in more folds than there are")
    return HeldOutPredictions(values, fold, comes_back)


def store_residuals(residuals: Residuals) -> dict[str, Any]:
    """Sizes of residuals, and by what they are multiplied."""
    return {
        "size": residuals.size,
        "share": residuals.share,
        "at": residuals.spread.at,
        "spread": residuals.spread.size,
    }


def read_residuals(part: FilePart) -> Residuals:
    """Sizes that rise, with shares that rise to less than 1."""
    size = part.numbers("size", None)
    share, at = part.numbers("share", len(size)), part.numbers("at", None)
    spread = part.numbers("spread", len(at))
    require((size >= 0).all() and (np.diff(size) >= 0).all(), "the sizes of residuals do not rise")
    is_share = ((share > 0) & (share < 1)).all() and (np.diff(share) >= 0).all()
    require(is_share, "the shares of residuals do not rise between 0 and 1")
    is_spread = len(at) > 0 and (np.diff(at) > 0).all() and (spread > 0).all()
    require(is_spread, "the spread of residuals is not positive, or its places do not rise")
    with np.errstate(over="ignore"):
        require(np.isfinite(size.max(initial=0.0) * spread.max()), "a residual is infinite")
    return Residuals(size, share, Spread(at, spread))


def read_rule_model(part: FilePart, schema: Schema, targets: TargetSchema, of_whole_trees: bool) -> RuleModel:
    """A path of models on these inputs about these targets."""
    measured = read_measured(part.part("terms"), schema, targets, of_whole_trees)
    scores = read_scores(part.part("scores"), targets)
    _, join = read_losses(part.part("scores"), targets)
    path = read_path(part.part("path"), measured.design.group, join)
    ends = np.cumsum([len(step.terms) for step in path.steps])
    changes = part.numbers("changes", int(ends[-1]), len(scores.spread))
    check_sums(measured.design, path, scores)
    chosen = part.value("chosen", int)
    require(0 <= chosen < len(path.steps), "the chosen step is not on the path")
    return RuleModel(measured, path, scores, tuple(np.split(changes, ends[:-1])), chosen)
