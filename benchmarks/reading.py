"""Reading tables: our strict reader against pandas' own, in CPU seconds; ARFF against scipy and liac-arff."""

import gzip
import io
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from glade.files.read import read_file
from measuring import cpu_seconds
from tables import find_folder

SETS = ("sgemm", "car_msrp", "thyroid", "scm20d", "wq")
REPEATS = 7


def write_arff(frame, path):
    """A numeric table as ARFF."""
    lines = ["@relation table", *(f"@attribute '{name}' numeric" for name in frame.columns), "@data"]
    path.write_text("\n".join(lines) + "\n" + frame.to_csv(index=False, header=False))


def compare_csv(folder, name):
    path = Path(folder) / f"{name}.csv"
    path.write_bytes(gzip.decompress((find_folder() / f"{name}.csv.gz").read_bytes()))
    read_file(path)
    ours, _ = cpu_seconds(lambda: read_file(path), REPEATS)
    theirs, frame = cpu_seconds(lambda: pd.read_csv(path), REPEATS)
    megabytes = path.stat().st_size / 1e6
    print(f"{name:<10}{megabytes:7.1f} MB  glade {ours:6.3f} s  pandas {theirs:6.3f} s  speed {theirs / ours:5.2f}")
    return frame


def compare_arff(folder, frame):
    import arff
    from scipy.io import arff as scipy_arff

    path = Path(folder) / "table.arff"
    write_arff(frame, path)
    readers = {
        "glade": lambda: read_file(path),
        "scipy": lambda: scipy_arff.loadarff(path),
        "liac-arff": lambda: arff.load(io.StringIO(path.read_text())),
    }
    seconds = {name: cpu_seconds(reader, 2)[0] for name, reader in readers.items()}
    print(f"ARFF, {frame.shape[0]:,} x {frame.shape[1]}: " + ", ".join(f"{n} {s:.2f} s" for n, s in seconds.items()))


def main():
    with tempfile.TemporaryDirectory() as folder:
        frames = {name: compare_csv(folder, name) for name in SETS}
        compare_arff(folder, frames["scm20d"].select_dtypes(np.number).iloc[:3000])


if __name__ == "__main__":
    main()
