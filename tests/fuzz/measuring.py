"""How long the fuzzers run, and what a case costs."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

SECONDS = float(os.environ.get("GLADE_FUZZ_SECONDS", "15"))  # for each fuzzer
SEED = int(os.environ.get("GLADE_FUZZ_SEED", "0"))
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
RESET_PEAK = "5"  # what Linux takes for "the peak of the resident memory begins anew"


def read_memory(name: str) -> int:
    """A figure of the process's memory in bytes: VmRSS now, VmHWM at its peak. Zero where there is no /proc."""
    if not STATUS.exists():
        return 0
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024


@dataclass
class Costs:
    """The CPU time and the growth of the memory of each case."""

    seconds: dict[str, float] = field(default_factory=dict)
    memory: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def measure(self, case: str) -> Iterator[None]:
        """Measure what happens inside."""
        if CLEAR.exists():
            CLEAR.write_text(RESET_PEAK)
        before, start = read_memory("VmRSS"), time.process_time()
        try:
            yield
        finally:
            self.seconds[case] = time.process_time() - start
            self.memory[case] = read_memory("VmHWM") - before

    def __str__(self) -> str:
        slowest, largest = max(self.seconds, key=self.seconds.get), max(self.memory, key=self.memory.get)  # type: ignore[arg-type]
        return (
            f"{len(self.seconds)} cases; the slowest took {self.seconds[slowest]:.2f} s of CPU time ({slowest}), the"
            f" largest {self.memory[largest] / 1e6:.0f} MB ({largest})"
        )
