"""Gradient-directed weights (FIRE): one weight a rule, found by descent that only steep weights take part in.

Model: yhat = offset + sum_k w_k r_k(x). A rule's r is a fixed direction in the space of the targets where it covers;
a linear term has a weight for each target. The offset is free: all terms are centred, which is to set it to its best
value at every step.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glade.rules.design import Design, Moments, TargetMoments, TargetRows, collect_moments, group_targets
from glade.weights.path import Step, WeightPath, measure_error

CHECK_EVERY = 100  # steps
WORSE = 1.1  # times the lowest validation error: go back, with smaller steps
SMALLER = 0.1
STALLED = 1e-7  # of the loss without terms: progress in CHECK_EVERY steps that ends a run
TAU_PATIENCE = 2  # values of tau without an improvement that end the search over tau
IMPROVEMENT = 1e-3  # of the validation error: what counts as one


@dataclass(frozen=True)
class Columns:
    """Weights to find: each belongs to a term and acts along a direction."""

    term: NDArray[np.int64]
    direction: NDArray[np.float64]  # columns x targets

    @classmethod
    def of(cls, groups: list[TargetMoments], n_rules: int) -> "Columns":
        """A column for each rule, along its covered rows' means; one for each linear term and target."""
        n_targets, n_terms = sum(len(g.targets) for g in groups), len(groups[0].rows.total)
        means = np.empty((n_rules, n_targets))
        for g in groups:
            covered = g.rows.total[:n_rules, None]
            y_mean = g.rows.y_total / g.rows.weight
            means[:, g.targets] = np.where(
                covered > 0, g.rows.cross[:n_rules] / np.maximum(covered, 1e-300) - y_mean, 0
            )
        largest = np.take_along_axis(means, np.abs(means).argmax(axis=1)[:, None], axis=1)
        directions = means / np.where(largest == 0.0, 1.0, largest)
        linear = np.tile(np.eye(n_targets), (n_terms - n_rules, 1))
        term = np.concatenate((np.arange(n_rules), np.repeat(np.arange(n_rules, n_terms), n_targets)))
        return cls(term, np.concatenate((directions, linear)))

    def spread(self, weights: NDArray[np.float64], n_terms: int) -> NDArray[np.float64]:
        """Terms x targets: what each term adds."""
        out = np.zeros((n_terms, self.direction.shape[1]))
        np.add.at(out, self.term, weights[:, None] * self.direction)
        return out


@dataclass(frozen=True)
class Quadratic:
    """The loss, mean over targets of (yhat - y)^2 / 2, as w' gram w / 2 - slope' w + constant / 2."""

    gram: NDArray[np.float64]
    slope: NDArray[np.float64]
    constant: float

    @classmethod
    def of(cls, rows: list[TargetMoments], centres: list[TargetMoments], columns: Columns) -> "Quadratic":
        """The loss over some rows, terms and targets centred at the means of others."""
        n_columns, n_targets = columns.direction.shape
        gram, slope, constant = np.zeros((n_columns, n_columns)), np.zeros(n_columns), 0.0
        for part, centre in zip(rows, centres, strict=True):
            direction = columns.direction[:, part.targets]
            own_gram, cross, square = _centre(part.rows, centre.rows)
            gram += direction @ direction.T * own_gram[np.ix_(columns.term, columns.term)]
            slope += (direction * cross[columns.term]).sum(axis=1)
            constant += float(square.sum())
        return cls(gram / n_targets, slope / n_targets, constant / n_targets)

    def loss(self, weights: NDArray[np.float64]) -> float:
        from glade.kernels.descend import quadratic_loss

        return float(quadratic_loss(self.gram, self.slope, weights)) + self.constant / 2

    def take(self, columns: NDArray[np.int64]) -> "Quadratic":
        return Quadratic(self.gram[np.ix_(columns, columns)], self.slope[columns], self.constant)


def _centre(rows: Moments, centre: Moments) -> tuple[NDArray[np.float64], ...]:
    """Mean products about other rows' means: of terms, of terms with targets, of each target with itself."""
    mean, y_mean = centre.total / centre.weight, centre.y_total / centre.weight
    total, y_total = rows.total / rows.weight, rows.y_total / rows.weight
    gram = rows.gram / rows.weight - np.outer(mean, total) - np.outer(total - mean, mean)
    cross = rows.cross / rows.weight - np.outer(mean, y_total) - np.outer(total - mean, y_mean)
    square = rows.y_square / rows.weight - y_mean * y_total - (y_total - y_mean) * y_mean
    return gram, cross, square


@dataclass(frozen=True)
class Run:
    """The end of a descent: the weights of the lowest validation loss."""

    weights: NDArray[np.float64]
    loss: float
    tau: float
    n_steps: int = 0


def find_step_size(gram: NDArray[np.float64]) -> float:
    """One over the largest eigenvalue (from above, to a hundredth): the largest step that cannot overshoot."""
    x = np.abs(gram).sum(axis=1)
    for _ in range(50):
        y = gram @ x
        norm = np.linalg.norm(y)
        if norm == 0.0:
            return 0.0
        x, last = y / norm, x
        if x @ last >= (1 - 1e-6) * np.linalg.norm(last):
            break
    return float(1.0 / (1.01 * norm))


def run_descent(
    train: Quadratic, valid: Quadratic, term: NDArray[np.int64], tau: float, max_terms: int, max_steps: int
) -> Run:
    """Descend on the training loss; keep the weights that do best on the validation rows."""
    from glade.kernels.descend import descend

    step, n = find_step_size(train.gram), len(term)
    active, weights = np.arange(n), np.zeros(n)
    in_use = np.zeros(int(term.max(initial=-1)) + 1, np.uint8)
    best, best_loss = weights.copy(), valid.loss(weights)
    last = train.loss(weights)
    stalled = STALLED * train.constant
    here, there = train, valid  # the parts of the two losses that can still change
    done = 0
    while done < max_steps:
        n_now = min(CHECK_EVERY, max_steps - done)
        done += n_now
        part = weights[active]
        descend(
            here.gram, here.slope, tau, step, n_now, max_terms, term[active], in_use, *np.empty((2, len(active))),
            part,
        )  # fmt: skip
        weights[active] = part
        loss, valid_loss = here.loss(part), there.loss(part)
        if valid_loss < best_loss:
            best, best_loss = weights.copy(), valid_loss
        elif valid_loss > WORSE * best_loss:
            weights, step = best.copy(), SMALLER * step
            in_use[:] = 0
            in_use[term[weights != 0]] = 1
            last = train.loss(weights)
            continue
        if last - loss < stalled:
            break
        last = loss
        if max_terms and in_use.sum() == max_terms and len(active) == n:
            active = np.flatnonzero(in_use[term])
            here, there = train.take(active), valid.take(active)
    return Run(best, best_loss, tau, done)


def search_tau(
    train: Quadratic, valid: Quadratic, term: NDArray[np.int64], max_terms: int, max_steps: int, every_tau: bool = False
) -> Run:
    """The best run over tau = 1, 0.9, ..., 0, from steep weights only to all; it ends when lower values do not help."""
    best, since_improved, longest = None, 0, 0
    for tau in np.arange(10, -1, -1) / 10:
        run = run_descent(train, valid, term, float(tau), max_terms, max_steps)
        since_improved = 0 if best is None or run.loss < (1 - IMPROVEMENT) * best.loss else since_improved + 1
        longest = max(longest, run.n_steps)
        if best is None or run.loss < best.loss:
            best = run
        if since_improved == TAU_PATIENCE and not every_tau:
            break
    assert best is not None
    return replace(best, n_steps=longest)


def find_path(
    design: Design, train: TargetRows, valid: TargetRows, limits: list[int], max_steps: int, every_tau: bool = False
) -> WeightPath:
    """The best weights for each limit on the number of terms (0: no limit), and the model without any term.

    Targets come centred and divided by twice their standard deviation.
    """
    groups = group_targets(np.concatenate((train.y, valid.y)))
    train_moments, valid_moments = (collect_moments(design, rows, groups) for rows in (train, valid))
    both = [a + b for a, b in zip(train_moments, valid_moments, strict=True)]
    train_moments, valid_moments = (  # a target known in one part only is judged where it is known
        [own if own.rows.weight > 0 else whole for own, whole in zip(part, both, strict=True)]
        for part in (train_moments, valid_moments)
    )
    columns = Columns.of(both, len(design.rules))
    train_loss, valid_loss = (Quadratic.of(m, train_moments, columns) for m in (train_moments, valid_moments))
    runs = [Run(np.zeros(len(columns.term)), valid_loss.constant / 2, 1.0)]
    for limit in limits if len(design) else []:
        runs.append(search_tau(train_loss, valid_loss, columns.term, limit, max_steps, every_tau))
    steps = [_make_step(columns.spread(run.weights, len(design)), design, train_moments, valid) for run in runs]
    return WeightPath.of(steps, max(run.n_steps for run in runs))


def _make_step(weights: NDArray[np.float64], design: Design, train: list[TargetMoments], valid: TargetRows) -> Step:
    terms = np.flatnonzero(weights.any(axis=1))
    offset = np.empty(weights.shape[1])
    for part in train:
        mean = part.rows.total / part.rows.weight
        offset[part.targets] = part.rows.y_total / part.rows.weight - mean @ weights[:, part.targets]
    predicted = offset + design.take(terms).predict(valid.matrix, weights[terms])
    return Step(terms, weights[terms], offset, *measure_error(valid, predicted))
