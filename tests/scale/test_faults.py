"""Tables that are damaged or too large, fits that are interrupted: what is said, and what is kept."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import glade
from glade.core.errors import InputError, ResourceError
from glade.scale import grow
from glade.scale.parts import BLOCK_ROWS, ParquetPart
from tests.scale.test_rules import INPUTS, MODELS


@pytest.fixture
def folder(tmp_path, table):
    """Three parts that a test may damage."""
    for k, rows in enumerate(np.array_split(np.arange(len(table)), 3)):
        table.iloc[rows].to_parquet(tmp_path / f"{k}.parquet")
    return tmp_path


def fit(folder, **how):
    model, target = MODELS["number"]()
    table = glade.open_partitions(folder, **how)
    return model.fit(table[INPUTS], table[target])


def test_f13_a_part_with_other_columns_is_named(folder, table):
    table.drop(columns="b").assign(more=1.0).to_parquet(folder / "1.parquet")
    with pytest.raises(InputError, match=r"1.parquet' lacks 'b', has 'more' in addition, compared with '.*0.parquet'"):
        glade.open_partitions(folder)


def test_f13_a_part_with_another_type_is_named(folder, table):
    table.assign(b=table["b"].astype(str)).to_parquet(folder / "2.parquet")
    with pytest.raises(InputError, match=r"2.parquet' has other types in 'b' \(text, not numbers\)"):
        glade.open_partitions(folder)


def test_f13_a_damaged_part_is_named(folder):
    (folder / "1.parquet").write_bytes(b"PAR1 nothing of a table PAR1")
    with pytest.raises(InputError, match=r"1.parquet' cannot be read as Parquet"):
        glade.open_partitions(folder)


def test_f13_a_part_that_is_gone_meanwhile_is_named(folder):
    table = glade.open_partitions(folder)
    (folder / "1.parquet").unlink()
    with pytest.raises(InputError, match=r"1.parquet', row group 0 cannot be read"):
        MODELS["number"]()[0].fit(table[INPUTS], table["number"])


def test_f13_a_part_without_rows_is_passed_over(folder, table):
    expected = fit(folder).predict(table[INPUTS])
    table.iloc[:0].to_parquet(folder / "0-none.parquet")
    assert np.array_equal(fit(folder).predict(table[INPUTS]), expected)


def test_f13_categories_of_all_parts_are_one_set_whatever_their_order(folder, table):
    expected = fit(folder).predict(table[INPUTS])
    for k, labels in ((0, ["r", "q", "p", "z"]), (1, ["p", "q", "r"])):
        path = folder / f"{k}.parquet"
        frame = pd.read_parquet(path)
        frame.assign(k=pd.Categorical(frame["k"], categories=labels)).to_parquet(path)
    assert np.array_equal(fit(folder).predict(table[INPUTS]), expected)


def test_nothing_there_is_said(tmp_path):
    with pytest.raises(InputError, match="names no Parquet file: give a file, a folder or a pattern"):
        glade.open_partitions(tmp_path / "*.parquet")


def test_a_value_that_cannot_be_used_is_told_with_its_part(folder, table):
    table.iloc[:1000].assign(a=np.inf).to_parquet(folder / "1.parquet")
    with pytest.raises(ValueError, match=r"column 'a' holds inf"):
        fit(folder)


def test_f6_memory_is_bounded_before_anything_is_read(folder, monkeypatch):
    monkeypatch.setattr(ParquetPart, "read", lambda *given: pytest.fail("a part was read"))
    with pytest.raises(ResourceError, match=r"row group 0 would take about .*, and 1 kB may be used: give more"):
        fit(folder, memory="1kB")
    with pytest.raises(InputError, match="memory is 'much': give bytes, or a size such as 2GB"):
        fit(folder, memory="much")


def test_l7_blocks_of_one_part_at_a_time_are_in_memory(tmp_path):
    """A part of many rows is read some thousand rows at a time."""
    n = 3 * BLOCK_ROWS + 5
    pq.write_table(pa.table({"a": np.arange(n, dtype=float)}), tmp_path / "a.parquet", row_group_size=BLOCK_ROWS)
    (part,) = glade.open_partitions(tmp_path).parts
    blocks = list(part.read(["a"]))
    assert [first for first, _ in blocks] == [0, BLOCK_ROWS, 2 * BLOCK_ROWS, 3 * BLOCK_ROWS]
    assert max(len(block) for _, block in blocks) == BLOCK_ROWS
    assert [int(block["a"].iloc[0]) for first, block in blocks] == [first for first, _ in blocks]


@pytest.mark.filterwarnings("ignore:terms are found on")
@pytest.mark.parametrize("stage", ["look", "slopes", "errors"])
def test_f5_a_fit_that_is_killed_goes_on_where_it_ended(
    stage, folder, table, tmp_path_factory, small_samples, monkeypatch
):
    kept = tmp_path_factory.mktemp("kept")
    expected = fit(folder).predict(table[INPUTS])
    read, n_read = ParquetPart.read, []
    stop_at = {"look": 2, "slopes": 5, "errors": 11}[stage]

    def count(self, columns):
        n_read.append(self)
        if len(n_read) == stop_at:
            raise KeyboardInterrupt
        return read(self, columns)

    monkeypatch.setattr(ParquetPart, "read", count)
    with pytest.raises(KeyboardInterrupt):
        fit(folder, resume=str(kept))
    assert np.array_equal(fit(folder, resume=str(kept)).predict(table[INPUTS]), expected)
    assert len(n_read) == 12 + 1  # three parts, four passes, and the one that was interrupted
    again = fit(folder, resume=str(kept))
    assert np.array_equal(again.predict(table[INPUTS]), expected)
    assert len(n_read) == 13


@pytest.mark.filterwarnings("ignore:each 5 trees are grown on")
def test_f5_finished_trees_are_kept(folder, table, tmp_path_factory, small_samples, monkeypatch):
    kept = str(tmp_path_factory.mktemp("kept"))

    def fit_forest(resume, n_trees=15, n_jobs=1):
        data = glade.open_partitions(folder, resume=resume)
        forest = glade.ForestRegressor(n_trees, max_leaf_nodes=20, n_jobs=n_jobs, random_state=0)
        return forest.fit(data[INPUTS], data["number"]).predict(table[INPUTS])

    expected, grown, is_first_fit, grow_some = fit_forest(None), [], [True], grow.GrowTrees.__call__

    def stop_at_third(self, task):
        grown.append(task.start)
        if is_first_fit and len(grown) == 3:
            is_first_fit.clear()
            raise KeyboardInterrupt
        return grow_some(self, task)

    monkeypatch.setattr(grow.GrowTrees, "__call__", stop_at_third)
    with pytest.raises(KeyboardInterrupt):
        fit_forest(kept)
    assert np.array_equal(fit_forest(kept, n_jobs=2), expected)
    assert grown == [0, 5, 10, 10]
    more = fit_forest(kept, n_trees=20)
    assert grown == [0, 5, 10, 10, 15]
    grown.clear()
    assert np.array_equal(more, fit_forest(None, n_trees=20))
    table.iloc[:1000].assign(number=-table["number"]).to_parquet(folder / "0.parquet")
    assert not np.array_equal(fit_forest(kept), expected)
    assert grown == [0, 5, 10, 15, 0, 5, 10]


@pytest.mark.filterwarnings("ignore:trees are grown on")
def test_f5_a_finished_sample_is_kept(folder, table, tmp_path_factory, small_samples, monkeypatch):
    kept, fitted = str(tmp_path_factory.mktemp("kept")), []
    fit_tree = glade.TreeRegressor.fit

    def watch(self, *given):
        fitted.append(len(given[0]))
        return fit_tree(self, *given)

    monkeypatch.setattr(glade.TreeRegressor, "fit", watch)
    trees = []
    for resume in (kept, kept, None):
        data = glade.open_partitions(folder, resume=resume)
        trees.append(glade.TreeRegressor(max_depth=3, random_state=1).fit(data[INPUTS], data["number"]))
    assert len([n for n in fitted if n < len(table)]) == 2  # besides those of the partitions, one kept and one not
    assert np.array_equal(trees[0].predict(table[INPUTS]), trees[1].predict(table[INPUTS]))
    assert np.array_equal(trees[0].predict(table[INPUTS]), trees[2].predict(table[INPUTS]))
    assert trees[1].random_state == 1


@pytest.mark.filterwarnings("ignore:terms are found on")
def test_what_is_kept_of_another_table_is_not_taken(folder, table, tmp_path_factory, small_samples):
    kept = str(tmp_path_factory.mktemp("kept"))
    fit(folder, resume=kept)
    table.iloc[:1000].assign(number=-table["number"]).to_parquet(folder / "0.parquet")
    assert np.array_equal(fit(folder, resume=kept).predict(table[INPUTS]), fit(folder).predict(table[INPUTS]))


@pytest.mark.filterwarnings("ignore:terms are found on")
@pytest.mark.filterwarnings("ignore:.* far from all other")
def test_values_far_from_all_others_are_pulled_in(folder, table, small_samples):
    """A faulty reading that the sample does not hold decides nothing."""
    expected = fit(folder).predict(table[INPUTS])
    outside = sorted(set(range(len(table))) - set(glade.open_partitions(folder).sample(1200, 3).index))
    faulty = table.copy()
    faulty.loc[outside[:2], "number"] = 1e9
    for k, rows in enumerate(np.array_split(np.arange(len(table)), 3)):
        faulty.iloc[rows].to_parquet(folder / f"{k}.parquet")
    model = fit(folder)
    assert np.abs(model.predict(table[INPUTS]) - expected).max() < 1.0


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"y": "a"}, "'a' cannot be both an input and a target"),
        ({"y": None}, "y is in memory and X is in partitions"),
        ({"cv": [(np.arange(5), np.arange(5))]}, "set cv to a number"),
    ],
)
def test_what_needs_all_rows_in_memory_is_refused_before_anything_is_read(how, sentence, folder, table, monkeypatch):
    data = glade.open_partitions(folder)
    model = MODELS["number"]()[0].set_params(cv=how.get("cv"))
    y = table["number"] if how.get("y", "") is None else data[how.get("y", "number")]
    monkeypatch.setattr(ParquetPart, "read", lambda *given: pytest.fail("a part was read"))
    with pytest.raises((InputError, TypeError), match=sentence):
        model.fit(data[INPUTS], y)


def test_who_needs_the_table_in_memory_says_what_to_do(folder):
    data = glade.open_partitions(folder)
    with pytest.raises(TypeError, match=r"X is a table in partitions, and is needed in memory here: take rows of it"):
        glade.MultiTreeRegressor().fit(data[INPUTS], data["number"])
    with pytest.raises(KeyError, match="there is no column 'nothing'"):
        data["nothing"]
