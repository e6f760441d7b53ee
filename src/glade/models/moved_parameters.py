"""Parameters of rule ensembles that have become settings of a solver."""

from inspect import Signature, signature
from typing import Any, Self

MOVED = {
    "l1_ratio": "weights=Lasso(l1_ratio=...)",
    "max_iter": "weights=Gradient(max_iter=...)",
    "every_tau": "weights=Gradient(every_tau=...)",
}


class WithoutMovedParameters:
    """Refuses parameters that have become settings of a solver, below the class whose constructor lists the others."""

    __signature__: Signature

    def __init_subclass__(cls, **options: Any) -> None:
        """Let editors, `help` and the reference show the constructor, and not what `__new__` takes."""
        super().__init_subclass__(**options)
        constructor = signature(cls.__init__)
        cls.__signature__ = constructor.replace(parameters=list(constructor.parameters.values())[1:])

    def __new__(cls, *given: Any, **named: Any) -> Self:
        for name in named.keys() & MOVED:
            raise TypeError(f"{cls.__name__} has no parameter {name!r} since glade 0.2: give {MOVED[name]}")
        return super().__new__(cls)
