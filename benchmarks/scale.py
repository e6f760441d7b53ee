"""Tables in partitions: time, memory and errors of large fits, beside the way in memory and beside other libraries.

Each fit runs in a process of its own, whose peak of memory is read from the kernel:

    python benchmarks/scale.py make --rows 20000000 --folder /tmp/big      # 20 files of Parquet
    python benchmarks/scale.py fit --folder /tmp/big --what rules          # also classes, forest
    python benchmarks/scale.py fit --folder /tmp/big --what rules --files 1 --files 4 --jobs 1 --jobs 2   # slopes
    python benchmarks/scale.py fit --folder /tmp/big --what rules --workers 1 --workers 2     # Dask's, of 3 GB each
    python benchmarks/scale.py fit --folder /tmp/big --what passes --files 1 --files 2
    python benchmarks/scale.py fit --folder /tmp/big --what rules-in-memory --files 1
    python benchmarks/scale.py fit --folder /tmp/big --what xgboost --files 1   # also lightgbm
"""

import argparse
import json
import resource
import subprocess
import sys
import time
import warnings
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

N_INPUTS, FILE_ROWS, GROUP_ROWS = 20, 1_000_000, 250_000
INPUTS = [f"x{j}" for j in range(N_INPUTS)]
MEMORY, WORKER_MEMORY = "1GB", "3GB"  # for tasks of this process, and of a worker of Dask


def make_rows(seed, n):
    """Rules of two and three inputs, a line, and noise; half of the inputs say nothing."""
    random = np.random.default_rng(seed)
    X = random.random((n, N_INPUTS))
    y = 3.0 * (X[:, 0] > 0.5) + 2.0 * (X[:, 1] > 0.3) * (X[:, 2] < 0.6) + X[:, 3]
    y += 1.5 * (X[:, 4] > 0.7) * (X[:, 5] > 0.4) * (X[:, 6] < 0.8) + np.sin(6 * X[:, 7]) + X[:, 8] * X[:, 9]
    number = y + random.normal(0, 1, n)
    frame = pd.DataFrame(X, columns=INPUTS)
    return frame.assign(number=number, two=np.where(y + random.logistic(0, 0.7, n) > 4.5, "yes", "no"))


def make(folder, n_rows):
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    for k in range(-(-n_rows // FILE_ROWS)):
        path = folder / f"{k:05}.parquet"
        if not path.exists():
            table = pa.Table.from_pandas(make_rows(k, min(FILE_ROWS, n_rows - k * FILE_ROWS)), preserve_index=False)
            pq.write_table(table, path.with_suffix(".part"), row_group_size=GROUP_ROWS, use_dictionary=["two"])
            path.with_suffix(".part").rename(path)


def list_files(folder, n_files):
    return sorted(map(str, folder.glob("*.parquet")))[:n_files]


def make_model(what, jobs):
    import glade

    if what.startswith("rules"):
        return glade.RuleEnsembleRegressor(max_rules=20, n_jobs=jobs, random_state=0), "number"
    if what.startswith("classes"):
        return glade.RuleEnsembleClassifier(max_rules=20, n_jobs=jobs, random_state=0), "two"
    return glade.ForestRegressor(50, min_samples_leaf=5, n_jobs=jobs, random_state=0), "number"


def fit_glade(what, files, jobs, resume, n_workers):
    import glade
    from glade.models.warm_up import warm_up

    warm_up()
    model, target = make_model(what, jobs)
    with workers_of_dask(n_workers) as (client, of_workers):
        start = time.process_time(), time.monotonic()
        if what.endswith("in-memory"):
            frame = pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)
            model.fit(frame[INPUTS], frame[target])
        else:
            table = glade.open_partitions(files, memory=MEMORY, resume=resume, cluster=client)
            model.fit(table[INPUTS], table[target])
        seconds = time.process_time() - start[0], time.monotonic() - start[1]
        return model, target, seconds, getattr(model, "errors_", None), of_workers()


@contextmanager
def workers_of_dask(n_workers):
    """A client of so many workers of one thread and 3 GB, and a function that measures them; without, None and {}."""
    if n_workers == 0:
        yield None, dict
        return
    from distributed import Client, LocalCluster

    settings = {"threads_per_worker": 1, "memory_limit": WORKER_MEMORY, "dashboard_address": None}
    with LocalCluster(n_workers, host="127.0.0.1", **settings) as cluster, Client(cluster) as client:
        before = sum(client.run(time.process_time).values())

        def measure_workers():
            cpu = sum(client.run(time.process_time).values()) - before
            peaks = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
            return {"workers": n_workers, "cpu_of_workers": round(cpu, 1), "peak_gb_of_a_worker": max(peaks.values())}

        yield client, measure_workers


def fit_peer(what, files, jobs):
    """Boosted trees that read batches (XGBoost, kept on disk) or hold the table in bins (LightGBM)."""
    start = time.process_time(), time.monotonic()
    if what == "xgboost":
        import xgboost

        class Batches(xgboost.DataIter):
            def __init__(self):
                self._at = 0
                super().__init__(cache_prefix=str(Path(files[0]).parent / "xgboost-cache"))

            def next(self, input_data):
                if self._at == len(files):
                    return False
                frame = pd.read_parquet(files[self._at])
                input_data(data=frame[INPUTS], label=frame["number"])
                self._at += 1
                return True

            def reset(self):
                self._at = 0

        data = xgboost.ExtMemQuantileDMatrix(Batches(), nthread=jobs)
        settings = {"tree_method": "hist", "nthread": jobs, "max_depth": 6, "eta": 0.1}
        booster = xgboost.train(settings, data, num_boost_round=100)
        model = type("Model", (), {"predict": lambda self, X: booster.predict(xgboost.DMatrix(X))})()
    else:
        import lightgbm

        frame = pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)
        model = lightgbm.LGBMRegressor(n_estimators=100, n_jobs=jobs, verbose=-1).fit(frame[INPUTS], frame["number"])
    return model, "number", (time.process_time() - start[0], time.monotonic() - start[1]), None


def measure_passes(files, jobs):
    """Processor seconds of each pass, for terms that are found on a small sample."""
    import glade
    from glade.scale import checkpoints, fit

    warnings.simplefilter("ignore")
    fit.MANY_ROWS, seconds, run = 50_000, {}, checkpoints.Checkpoints.map

    def timed(self, what, *given):
        start = time.process_time()
        yield from run(self, what, *given)
        seconds[what] = round(time.process_time() - start, 2)

    checkpoints.Checkpoints.map = timed
    table = glade.open_partitions(files, memory=MEMORY)
    forest = glade.ForestRegressor(20, max_leaf_nodes=20, random_state=0)
    model = glade.RuleEnsembleRegressor(forest, max_rules=20, n_jobs=jobs, random_state=0)
    model.fit(table[INPUTS], table["number"])
    print(json.dumps({"what": "passes", "files": len(files), "terms": model.size_.terms} | seconds), flush=True)


def measure(what, files, jobs, resume, n_workers):
    """One fit in this process."""
    warnings.simplefilter("ignore")
    if what in ("xgboost", "lightgbm"):
        model, target, (cpu, wall), errors, of_workers = *fit_peer(what, files, jobs), {}
    else:
        model, target, (cpu, wall), errors, of_workers = fit_glade(what, files, jobs, resume, n_workers)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    fresh = make_rows(10**6, 100_000)
    truth, told = fresh[target].to_numpy(), model.predict(fresh[INPUTS])
    good = float((truth == told).mean()) if target == "two" else 1 - np.mean((truth - told) ** 2) / truth.var()
    result = {"what": what, "files": len(files), "jobs": jobs, "cpu": round(cpu, 1), "wall": round(wall, 1)}
    result |= {"peak_gb": round(peak, 2), "on_new_rows": round(float(good), 4)} | of_workers
    if errors is not None:
        result |= {row.metric: round(row.value, 4) for row in errors.itertuples()}
    if hasattr(model, "size_"):
        result |= model.size_._asdict()
    print(json.dumps(result), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=["make", "fit", "one"])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--what", action="append", default=[])
    parser.add_argument("--files", type=int, action="append", default=[])
    parser.add_argument("--jobs", type=int, action="append", default=[])
    parser.add_argument("--workers", type=int, action="append", default=[])
    parser.add_argument("--resume")
    given = parser.parse_args()
    if given.job == "make":
        make(given.folder, given.rows)
        return
    counts = product(given.what or ["rules"], given.files or [None], given.jobs or [1], given.workers or [0])
    for what, n_files, jobs, n_workers in counts:
        files = list_files(given.folder, n_files)
        if given.job == "one":
            if what == "passes":
                measure_passes(files, jobs)
            else:
                measure(what, files, jobs, given.resume, n_workers)
            continue
        own = ["--what", what, "--files", str(len(files)), "--jobs", str(jobs), "--workers", str(n_workers)]
        own += ["--resume", given.resume] if given.resume else []
        subprocess.run([sys.executable, __file__, "one", "--folder", str(given.folder), *own], check=True)


if __name__ == "__main__":
    main()
