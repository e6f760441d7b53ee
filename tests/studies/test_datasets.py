"""Reading the stored sets, and what is said where they are not as the manifest says."""

import gzip
import hashlib
import json

import pandas as pd
import pytest

from glade.core.errors import InputError
from studies.datasets import find_folder, list_datasets, load_dataset
from tests.datasets import load_dataset as load_or_skip

CSV = b"size,colour,code,price,part\n1.5,red,01,3,train\n,NA,02,4,test\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with one small set."""
    content = gzip.compress(CSV)
    (tmp_path / "toys.csv.gz").write_bytes(content)
    entry = {
        "file": "toys.csv.gz",
        "sha256": hashlib.sha256(content).hexdigest(),
        "missing_marker": "",
        "nominal": {"colour": {"values": ["red", "NA", "blue"]}, "code": {"n_values": 2}},
        "source": {"repository": "someone/toys", "path": "toys.arff"},
        "columns": [
            ["size", "numeric", "input"],
            ["colour", "nominal", "input"],
            ["code", "nominal", "input"],
            ["price", "numeric", "target"],
            ["part", "nominal", "split"],
        ],
    }
    (tmp_path / "manifest.json").write_text(json.dumps({"toys": entry, "tools": entry}))
    return tmp_path


def test_kinds_come_from_the_manifest(folder):
    data = load_dataset("toys", folder)
    assert data.X["size"].isna().tolist() == [False, True]
    assert data.X["colour"].tolist() == ["red", "NA"]  # the text NA is no missing value here
    assert list(data.X["colour"].cat.categories) == ["red", "NA", "blue"]
    assert data.X["code"].tolist() == ["01", "02"]  # nominal values are text even where they look like numbers
    assert data.y.columns.tolist() == ["price"]
    assert data.split.tolist() == ["train", "test"]


def test_the_folder_is_the_given_one_then_the_variable_then_the_default(folder, monkeypatch, tmp_path_factory):
    monkeypatch.setenv("GLADE_DATA", str(folder))
    assert find_folder() == folder
    other = tmp_path_factory.mktemp("elsewhere")
    with pytest.raises(InputError, match=r"no data sets in .*\(given\)"):
        find_folder(other)
    monkeypatch.setenv("GLADE_DATA", str(other))
    with pytest.raises(InputError, match="set in GLADE_DATA"):
        find_folder()
    monkeypatch.delenv("GLADE_DATA")
    monkeypatch.chdir(other)
    with pytest.raises(InputError, match=r"by default.*manifest.json.*--data.*GLADE_DATA"):
        find_folder()


def test_an_unknown_name_lists_near_ones(folder):
    assert list_datasets(folder) == ["toys", "tools"]
    with pytest.raises(InputError, match="no data set 'toy': do you mean 'toys'"):
        load_dataset("toy", folder)
    with pytest.raises(InputError, match=r"there is no data set 'xyz': do you mean|there are"):
        load_dataset("xyz", folder)


def test_a_missing_or_changed_file_says_where_to_get_it(folder):
    (folder / "toys.csv.gz").write_bytes(gzip.compress(CSV + b"2,red,03,5,test\n"))
    with pytest.raises(InputError, match=r"is not the one in the manifest.*get it from toys.arff of someone/toys"):
        load_dataset("toys", folder)
    (folder / "toys.csv.gz").unlink()
    with pytest.raises(InputError, match=r"toys.csv.gz of data set 'toys' is missing in .*: get it from toys.arff"):
        load_dataset("toys", folder)


def test_a_broken_manifest_is_named(folder):
    (folder / "manifest.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read as JSON"):
        load_dataset("toys", folder)


def test_real_sets_have_the_sizes_and_kinds_of_their_entries():
    X, y = load_or_skip("bridges_full")
    assert (len(X), X.shape[1], y.shape[1]) == (104, 7, 5)
    assert int(y.isna().sum().sum()) == 31
    assert isinstance(X["river"].dtype, pd.CategoricalDtype)
    X, y = load_or_skip("car_msrp")
    assert int(X.isna().sum().sum()) == 3850
    assert y["MSRP"].dtype.kind in "if"


def test_a_set_too_wide_to_be_listed_has_the_columns_of_its_file(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    wide = {**manifest["toys"], "columns": None, "targets": ["colour"], "split_column": "part"}
    wide["nominal"] = {"colour": {"values": ["red", "NA", "blue"]}}
    (folder / "manifest.json").write_text(json.dumps({"wide": wide}))
    data = load_dataset("wide", folder)
    assert list(data.X.columns) == ["size", "code", "price"]
    assert data.y["colour"].tolist() == ["red", "NA"]
    assert data.split.tolist() == ["train", "test"]
