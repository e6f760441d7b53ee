"""Commands of glade run in processes of their own: what they say so far, and their end."""

import os
import subprocess
import sys
import threading
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

MAX_LINES = 2_000  # that are kept of what a command says
BEGIN = (
    "from glade.core.processes import end_with_parent as end; end({parent}); from glade.cli.main import main; main()"
)
WAIT = 5.0  # seconds that a command has to end by itself once it is told to


@dataclass
class Job:
    """A command that runs, or has run.

    Parameters
    ----------
    process
        In which it runs.
    """

    process: subprocess.Popen[bytes]
    said: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_LINES))
    remarks: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_LINES))
    _readers: list[threading.Thread] = field(default_factory=list)

    @classmethod
    def start(cls, arguments: list[str], folder: Path) -> "Job":
        """Run `glade` with these arguments, in a folder. It ends with this process, also where that is killed."""
        command = [sys.executable, "-c", BEGIN.format(parent=os.getpid()), *arguments]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        job = cls(subprocess.Popen(command, cwd=folder, **pipes))  # type: ignore[call-overload]
        for stream, lines in ((job.process.stdout, job.said), (job.process.stderr, job.remarks)):
            assert stream is not None
            reader = threading.Thread(target=_read_lines, args=(stream, lines), daemon=True)
            reader.start()
            job._readers.append(reader)
        return job

    @property
    def code(self) -> int | None:
        """The exit code; None while it runs, and until all that it said is read."""
        code = self.process.poll()
        return None if code is None or any(reader.is_alive() for reader in self._readers) else code

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        self.process.wait()
        for reader in self._readers:
            reader.join()
        return self.process.returncode

    def stop(self) -> None:
        """End it, by force if it does not end by itself."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(WAIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def tell(self) -> dict[str, object]:
        """How it goes on."""
        return {"code": self.code, "said": list(self.said), "remarks": list(self.remarks)}


def _read_lines(stream: IO[bytes], lines: deque[str]) -> None:
    """Keep the lines of a stream; a line that is drawn anew takes the place of the one before."""
    with stream:
        for raw in stream:
            text = raw.decode("utf-8", "replace").rstrip("\r\n")
            lines.append(text.rpartition("\r")[2])
