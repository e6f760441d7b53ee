"""Small tables in parts, and limits so low that their fits take samples."""

import numpy as np
import pandas as pd
import pytest

from glade.scale import fit

N_ROWS, N_SAMPLE = 3_000, 1_200


@pytest.fixture(scope="session")
def table():
    """Three inputs of numbers, one of text with gaps; a target of each kind."""
    random = np.random.default_rng(7)
    X = pd.DataFrame(random.normal(size=(N_ROWS, 3)).round(3), columns=["a", "b", "c"])
    X["k"] = pd.Series(random.choice(["p", "q", "r"], N_ROWS)).where(random.random(N_ROWS) > 0.1)
    mean = 2.0 * (X["a"] > 0.3) + (X["b"] < 0.5) * (X["k"] == "q") + 0.3 * X["c"]
    number = mean + random.normal(0, 0.5, N_ROWS)
    return X.assign(
        number=number,
        second=number * 3 + random.normal(size=N_ROWS),
        two=np.where(number + random.normal(size=N_ROWS) > 1, "yes", "no"),
        three=np.digitize(number + random.normal(size=N_ROWS), [0.5, 1.8]),
        count=random.poisson(np.exp(mean / 2)),
        weight=random.integers(1, 4, N_ROWS).astype(float),
        group=random.integers(0, 300, N_ROWS),
    )


@pytest.fixture(scope="session")
def write(table, tmp_path_factory):
    """Write a table in so many files."""

    def to_parts(n_parts, data=table):
        folder = tmp_path_factory.mktemp("parts")
        for k, rows in enumerate(np.array_split(np.arange(len(data)), n_parts)):
            data.iloc[rows].to_parquet(folder / f"{k:03}.parquet", row_group_size=500, index=False)
        return str(folder)

    return to_parts


@pytest.fixture(scope="session")
def folders(write):
    """The same table in 1, 7 and 50 parts."""
    return [write(n) for n in (1, 7, 50)]


@pytest.fixture
def small_samples(monkeypatch):
    """Fits take a sample though the table is small."""
    monkeypatch.setattr(fit, "ENOUGH_ROWS", N_SAMPLE)
    monkeypatch.setattr(fit, "MANY_ROWS", N_SAMPLE)
    monkeypatch.setattr(fit, "JUDGED_ROWS", 300)
