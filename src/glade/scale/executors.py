"""Who does the work of a pass over all parts: this thread, several threads, or the workers of a Dask cluster.

Results come in the order of the tasks and are added up in that order, so that they have the same bits whoever worked.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from glade.core.threads import count_threads, map_in_order
from glade.scale.memory import read_memory
from glade.scale.parts import Part, count_at_once

Result = TypeVar("Result")


class Executor(Protocol):
    """Does tasks, each of which reads one part."""

    def map(self, work: Callable[[Part], Result], parts: Sequence[Part]) -> Iterator[Result]:
        """The results of all parts, in their order."""


@dataclass(frozen=True)
class Threads:
    """Threads of this process; one does one task after another.

    Parameters
    ----------
    n_jobs
        How many, as in scikit-learn.
    memory
        The bytes that parts may take while they are read; there are fewer threads where they would take more.
    """

    n_jobs: int | None = None
    memory: int | str | None = None

    def map(self, work: Callable[[Part], Result], parts: Sequence[Part]) -> Iterator[Result]:
        """The results of all parts, in their order."""
        n_threads = count_at_once(parts, count_threads(self.n_jobs), read_memory(self.memory))
        return map_in_order(lambda stop: work, parts, n_threads)


def make_executor(cluster: Any, n_jobs: int | None, memory: int | str | None) -> Executor:
    """Threads, or the workers of a Dask cluster where an address or a client of one is given."""
    if cluster is None:
        return Threads(n_jobs, memory)
    from glade.scale.cluster import Cluster

    return Cluster.of(cluster)
