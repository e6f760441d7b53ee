"""The workers of a Dask cluster: who reads the parts where one machine is not enough."""

import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from glade.core.errors import InputError, ResourceError
from glade.core.names import list_names, quote_name
from glade.scale.memory import show_bytes
from glade.scale.parts import Task

Own = TypeVar("Own", bound=Task)
Result = TypeVar("Result")

ALLOWED_FAILURES = 3  # lost workers that a task may have seen; the next one ends the fit
PATIENCE = 40.0  # seconds without any worker, or without a word of the scheduler, until the fit ends
LOOK_SECONDS = 1.0  # between two looks at the workers
CONNECT_SECONDS = 20.0
ADDRESS = r"((tcp|tls|ucx|ws|wss)://)?(\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):\d+/?|inproc://.+"
AHEAD = 4  # tasks for each thread of the cluster that are handed out beyond the result that is waited for
GONE = ("CancelledError", "FutureCancelledError", "ClosedClientError", "CommClosedError")  # of a scheduler that is
CERTIFICATES = {"tls_ca_file": "GLADE_TLS_CA", "tls_client_cert": "GLADE_TLS_CERT", "tls_client_key": "GLADE_TLS_KEY"}


@dataclass(frozen=True, eq=False)
class Cluster:
    """Workers that do tasks. They hand results to this process; what they read stays with them.

    Parameters
    ----------
    client
        Of Dask's.
    """

    client: Any

    @classmethod
    def of(cls, cluster: Any) -> Self:
        """By an address or a client."""
        return cls(connect(cluster) if isinstance(cluster, str) else cluster)

    def map(self, work: Callable[[Own], Result], tasks: Sequence[Own]) -> Iterator[Result]:
        """The results of all tasks, in their order; some are worked on ahead of the one that is taken."""
        watch = Watch(self.client)
        n_threads, memory = watch.list_threads(), watch.list_memory()
        check_memory(tasks, memory)
        shared = self._send(_hand_over, work)
        waiting: deque[Any] = deque()
        todo = iter(tasks)
        try:
            for task in tasks:
                while len(waiting) < AHEAD * max(1, sum(n_threads)) and (following := next(todo, None)) is not None:
                    waiting.append(self._send(_work, shared, following))
                yield self._wait_for(waiting.popleft(), task, watch)
        finally:
            if self.client.status == "running":
                self.client.cancel([*waiting])

    def _send(self, function: Callable[..., Any], *given: Any) -> Any:
        """Hand out a task."""
        try:
            return self.client.submit(function, *given, pure=False)
        except Exception as fault:
            raise explain(fault, None) from fault

    def _wait_for(self, future: Any, task: Task, watch: "Watch") -> Any:
        """A result; an error where no worker is left to make it, or none can."""
        from distributed import TimeoutError as StillWorking

        while True:
            try:
                return future.result(timeout=LOOK_SECONDS)
            except StillWorking:
                watch.look()
            except Exception as fault:
                raise explain(fault, task) from fault


class Watch:
    """Ends the wait where there is nobody to wait for: Dask itself would wait for ever.

    Parameters
    ----------
    client
        Of Dask's.
    """

    def __init__(self, client: Any):
        self._client, self._since = client, time.monotonic()
        if not self.list_threads():
            self._wait_for_first()

    def list_threads(self) -> list[int]:
        """How many threads each worker has; none where the scheduler does not answer."""
        return [own["nthreads"] for own in self._ask().values()]

    def list_memory(self) -> list[int]:
        """The limit of each worker, in bytes; 0 where it has none."""
        return [int(own.get("memory_limit") or 0) for own in self._ask().values()]

    def look(self) -> None:
        """Raise an error once there has been no worker for too long."""
        if self._client.status == "running" and self._ask():
            self._since = time.monotonic()
        elif time.monotonic() - self._since > PATIENCE:
            raise ResourceError(
                f"no worker of the Dask cluster has answered for {PATIENCE:.0f} seconds: start workers, and fit again"
                " (with resume=, or --resume, from where it ended)"
            )

    def _wait_for_first(self) -> None:
        while not self._ask():
            self.look()
            time.sleep(LOOK_SECONDS)

    def _ask(self) -> dict[str, Any]:
        try:
            workers: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        except TypeError:  # older than n_workers
            workers = self._client.scheduler_info()["workers"]
        except (OSError, RuntimeError, KeyError):
            return {}
        return workers


def connect(address: str) -> Any:
    """A client of the scheduler at an address; with certificates where the environment names them."""
    from distributed import Client

    if not re.fullmatch(ADDRESS, address):  # Dask would give up after 40 seconds, with a traceback
        raise InputError(
            f"{quote_name(address)} is no address of a Dask scheduler: give one such as tcp://10.0.0.1:8786, or"
            " tls://... with certificates"
        )
    security = find_security()
    if address.startswith("tls://") and security.get_connection_args("client").get("ssl_context") is None:
        raise InputError(
            f"{quote_name(address)} demands certificates: name their files in {list_names([*CERTIFICATES.values()])},"
            " or hand over a Client that was made with them"
        )
    try:
        return Client(address, timeout=CONNECT_SECONDS, security=security, set_as_default=False)
    except (OSError, ValueError) as fault:
        raise ResourceError(
            f"no Dask scheduler answers at {quote_name(address)} ({fault}): start one (dask scheduler), or correct the"
            " address"
        ) from None


def find_security() -> Any:
    """The certificates that the environment names, else those of Dask's own settings."""
    from distributed.security import Security

    files = {name: os.environ[variable] for name, variable in CERTIFICATES.items() if os.environ.get(variable)}
    for name, file in files.items():
        if not os.path.isfile(file):
            raise InputError(f"{CERTIFICATES[name]} names {quote_name(file)}, which is no file: correct the path")
    return Security(require_encryption=True, **files) if files else Security()


def check_memory(tasks: Sequence[Task], limits: Sequence[int]) -> None:
    """Refuse tasks that are too large for a worker, before any begins."""
    least = min((limit for limit in limits if limit), default=0)
    largest = max(tasks, key=lambda task: task.bytes_needed)
    if least and largest.bytes_needed > least:
        raise ResourceError(
            f"{largest} would take about {show_bytes(largest.bytes_needed)}, and a worker has {show_bytes(least)}: give"
            f" workers more memory, or {largest.remedy}"
        )


def explain(fault: Exception, task: Task | None) -> Exception:
    """What a failed task means for a user; faults of the table are told as they are."""
    from distributed import KilledWorker

    if isinstance(fault, KilledWorker) and task is not None:
        return ResourceError(
            f"the workers that worked on {task} were lost {ALLOWED_FAILURES + 1} times, most likely for want of memory"
            f" (it needs about {show_bytes(task.bytes_needed)}): give workers more memory, or {task.remedy}; what is"
            " finished is kept where resume= (--resume) was given"
        )
    if type(fault).__name__ in GONE:
        return ResourceError(
            "the Dask scheduler is gone: start it again, and fit again (with resume=, or --resume, from where it ended)"
        )
    return fault


def _hand_over(work: Callable[[Own], Result]) -> Callable[[Own], Result]:
    """The work as a result of the cluster's own, which is made anew where it is lost."""
    return work


def _work(work: Callable[[Own], Result], task: Own) -> Result:
    """Do one task, in a worker: with one thread, which is the worker's own, and one for linear algebra, as in a fit."""
    from glade.core.blas import one_blas_thread
    from glade.core.threads import share_threads

    with one_blas_thread(), share_threads(1):
        return work(task)
