"""Who does the work of a pass over all parts: this thread, several threads, or the workers of a Dask cluster.

Results come in the order of the tasks and are added up in that order, so that they have the same bits whoever worked.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from glade.core.threads import count_threads, map_in_order, share_threads
from glade.scale.memory import read_memory
from glade.scale.parts import Task, count_at_once

Own = TypeVar("Own", bound=Task)
Result = TypeVar("Result")


class Executor(Protocol):
    """Does tasks, each of which reads one part, or draws rows of all."""

    def map(self, work: Callable[[Own], Result], tasks: Sequence[Own]) -> Iterator[Result]:
        """The results of all tasks, in their order."""


@dataclass(frozen=True)
class Threads:
    """Threads of this process; one does one task after another.

    Parameters
    ----------
    n_jobs
        How many, as in scikit-learn.
    memory
        The bytes that tasks may take; fewer are worked on at a time where they would take more, and share the threads.
    """

    n_jobs: int | None = None
    memory: int | str | None = None

    def map(self, work: Callable[[Own], Result], tasks: Sequence[Own]) -> Iterator[Result]:
        """The results of all tasks, in their order."""
        n_threads = count_threads(self.n_jobs)
        at_once = count_at_once(tasks, n_threads, read_memory(self.memory))

        def work_in_share(task: Own) -> Result:
            with share_threads(max(1, n_threads // at_once)):
                return work(task)

        return map_in_order(lambda stop: work_in_share, tasks, at_once)


def make_executor(cluster: Any, n_jobs: int | None, memory: int | str | None) -> Executor:
    """Threads, or the workers of a Dask cluster where an address or a client of one is given."""
    if cluster is None:
        return Threads(n_jobs, memory)
    from glade.scale.cluster import Cluster

    return Cluster.of(cluster)
