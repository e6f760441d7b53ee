"""The solvers there are, by name."""

from glade.core.parameters import check_parameters
from glade.weights.auto import Auto, Greedy, Ridge
from glade.weights.gradient import Gradient
from glade.weights.lasso import Lasso
from glade.weights.solver import Solver

SOLVERS: dict[str, type[Solver]] = {
    Auto.name: Auto,
    Greedy.name: Greedy,
    Ridge.name: Ridge,
    Gradient.name: Gradient,
    Lasso.name: Lasso,
}


def read_solver(weights: str | Solver) -> Solver:
    """The solver of this name, or the one given, its settings checked.

    >>> read_solver("lasso"), read_solver(Lasso(l1_ratio=0.5))
    (Lasso(), Lasso(l1_ratio=0.5))
    """
    solver = SOLVERS[weights]() if isinstance(weights, str) else weights
    check_parameters(solver._parameter_constraints, solver.get_params(deep=False), type(solver).__name__)
    return solver
