"""Whatever the bytes are: a model that predicts, or ModelFileError (F10, F11, S6, S7). `GLADE_FUZZ` asks for more."""

import json
import os
import pickle
import tracemalloc
import zlib

import numpy as np
import pandas as pd
import pytest

import glade
from glade.core.errors import ModelFileError
from glade.models.saved.container import pack, unpack
from glade.models.saved.estimators import read_estimator
from glade.models.saved.parts import Part
from tests.fitted import MAKERS, fit
from tests.saved.mutations import ACCIDENTS, DESIGNS, open_content, sign

TIMES = int(os.environ.get("GLADE_FUZZ", "1"))
N_ACCIDENTS, N_DESIGNS = 30 * TIMES, 15 * TIMES  # of each kind for each model: about 3,000 files in all
N_ROWS = 20


def _bytes_of(name, folder) -> bytes:
    fit(name).save(folder / "whole.glade")
    return (folder / "whole.glade").read_bytes()


def _load(content: bytes, folder):
    (folder / "changed.glade").write_bytes(content)
    return glade.load(folder / "changed.glade")


def make_rows(schema) -> pd.DataFrame:
    """Rows that fit any schema: known labels, missing values, all kinds of numbers."""
    rng = np.random.default_rng(0)
    columns = {}
    for name, labels in zip(schema.names, schema.labels, strict=True):
        known = np.array([*(labels or ()), None], object) if labels is not None else np.array([0.0, 1e9, -3.5, np.nan])
        values = known[rng.integers(0, len(known), N_ROWS)]
        columns[name] = pd.Series(values, dtype=object if labels is not None else float)
    return pd.DataFrame(columns)


def use(model) -> None:
    """All that a model reads its arrays for: routes, sums, words, rules, importances, pruning."""
    assert len(model.predict(make_rows(model.schema_))) == N_ROWS
    assert model.feature_importances_.shape == (model.n_features_in_,)
    assert model.size_ is not None
    if hasattr(model, "to_text"):
        assert model.to_text()
    if hasattr(model, "with_rules"):
        assert model.with_rules(3).size_.terms <= 3
    if hasattr(model, "archetype"):
        assert model.n_solutions_ > 0
        assert model.archetype(n_invented=50).get_n_leaves() >= model.occam().get_n_leaves()
        assert model.archetype(n_invented=50, invented="uniform", max_leaf_nodes=4).get_n_leaves() <= 4
    if hasattr(model, "pruned"):
        assert model.pruned(0.1).tree_.n_leaves <= model.tree_.n_leaves


@pytest.mark.parametrize("kind", ACCIDENTS)
@pytest.mark.parametrize("name", MAKERS)
def test_f10_no_accident_goes_unseen(tmp_path, name, kind):
    whole, other = _bytes_of(name, tmp_path), _bytes_of("tree, classes", tmp_path)
    rng = np.random.default_rng(zlib.crc32(f"{name} {kind}".encode()))
    n_damaged = 0
    for _ in range(N_ACCIDENTS):
        content = ACCIDENTS[kind](whole, other, rng)
        if content != whole:
            n_damaged += 1
            with pytest.raises(ModelFileError, match=r"'.*changed.glade' cannot be loaded: "):
                _load(content, tmp_path)
    assert n_damaged > N_ACCIDENTS / 5  # the rest are the file itself


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", DESIGNS)
@pytest.mark.parametrize("name", MAKERS)
def test_s7_a_crafted_file_is_a_model_or_refused(tmp_path, name, kind):
    whole, other = _bytes_of(name, tmp_path), _bytes_of("tree, classes", tmp_path)
    rng = np.random.default_rng(zlib.crc32(f"{name} {kind}".encode()))
    for _ in range(N_DESIGNS):
        try:
            model = _load(DESIGNS[kind](whole, other, rng), tmp_path)
        except ModelFileError:
            continue
        use(model)


@pytest.mark.parametrize("name", ["tree, text", "rules"])
def test_the_digest_made_anew_is_the_one_a_file_has(tmp_path, name):
    whole = _bytes_of(name, tmp_path)
    blank = whole.replace(open_digest(whole).encode(), b"f" * 64)
    assert blank != whole
    assert sign(blank) == whole


def open_digest(content: bytes) -> str:
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    return json.loads(header["__metadata__"]["glade"])["sha256"]


def change(name, folder, **arrays) -> bytes:
    """The file of a model in which some arrays, by the end of their names, are what a function makes of them."""
    document, stored = open_content(_bytes_of(name, folder))
    for end, make in arrays.items():
        (place,) = (place for place in stored if place.endswith(f"/{end}") and "conditions" not in place)
        array = stored[place].copy()
        stored[place] = array if make(array) is None else make(array)
    return pack(document, stored)


def put(at, value):
    def make(array):
        array[at] = value

    return make


FAULTS = {
    "a cycle": ({"split_left": put(1, 0)}, "does not come after its parent"),
    "a child beyond the tree": ({"split_left": put(0, 2**31 - 2)}, "does not come after its parent"),
    "a negative child": ({"split_left": put(0, -5)}, "does not come after its parent"),
    "a shared child": ({"split_left": lambda left: put(0, left[1])(left)}, "several parents"),
    "a node split twice": ({"split_node": lambda node: put(1, node[0])(node)}, "several parents|split twice|depth"),
    "a wrong depth": ({"depth": put(2, 7)}, "depth is wrong"),
    "an input that is not there": ({"split_input": put(0, 6)}, "an input is named that there is not"),
    "a negative input": ({"split_input": put(0, -1)}, "an input is named that there is not"),
    "a cut of NaN": ({"split_cut": lambda cut: put(np.flatnonzero(~np.isnan(cut))[0], np.nan)(cut)}, "wrong kind"),
    "a nominal split of no categories": (
        {"set_length": lambda length: np.where(length > 0, 0, length), "categories": lambda own: own[:0]},
        "names no category",
    ),
    "a category that is not there": ({"categories": put(-1, 90)}, "a category is named that there is not"),
    "categories in disorder": ({"categories": lambda own: own[::-1]}, "do not ascend|there is not"),
    "sets beyond the end": ({"set_length": put(0, 10**9)}, "does not divide"),
    "negative sets": ({"set_length": put(0, -1)}, "does not divide"),
    "a value of NaN": ({"value": put((0, 0), np.nan)}, "holds NaN or infinity"),
    "a weight of zero": ({"weight": put(0, 0.0)}, "has no weight"),
    "more splits than there are": ({"n_splits": put(0, 2**62)}, "does not divide"),
    "another number of nodes": ({"rows": lambda rows: rows[:-1]}, "does not fit the rest"),
    "another type": ({"depth": lambda depth: depth.astype(np.float64)}, "holds float64, not int32"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_s7_each_fault_of_a_tree_is_named(tmp_path, fault):
    arrays, message = FAULTS[fault]
    with pytest.raises(ModelFileError, match=message):
        _load(change("tree, one number", tmp_path, **arrays), tmp_path)


DOCUMENTS = {
    "F11 a newer format": ({"format": 2}, "of format 2, and this glade reads up to 1: install a newer glade"),
    "F11 no format": ({"format": "1"}, "does not say which version"),
    "S7 an unknown model": ({"model": "os.system"}, "there is no model 'os.system' in this glade"),
    "F11 a missing part": ({"targets": None}, "'targets' is no dict"),
    "S18 threads without end": ({"parameters": [["n_jobs", 10**9]]}, "a parameter is not one of TreeRegressor"),
    "S7 a nested value": ({"parameters": [["max_depth", json.loads("[" * 500 + "]" * 500)]]}, "nested too deeply"),
    "F11 a wrong parameter": ({"parameters": [["max_depth", -3]]}, "'max_depth' parameter .* must be"),
}


@pytest.mark.parametrize("case", DOCUMENTS)
def test_each_fault_of_the_document_is_named(tmp_path, case):
    changes, message = DOCUMENTS[case]
    document, arrays = open_content(_bytes_of("tree, one number", tmp_path))
    with pytest.raises(ModelFileError, match=message):
        _load(pack({**document, **changes}, arrays), tmp_path)


def test_f11_unknown_fields_are_ignored(tmp_path):
    document, arrays = open_content(_bytes_of("tree, text", tmp_path))
    later = pack({**document, "added later": {"a": 1}}, {**arrays, "added": np.zeros(3)})
    assert _load(later, tmp_path).to_text() == fit("tree, text").to_text()


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": 1e999}', '{"a": 1, "a": 2}', "[1]", "{", '{"a": ' * 10**5])
def test_f11_a_document_is_strict_json(tmp_path, text):
    header = json.dumps({"__metadata__": {"glade": text}}).encode()
    with pytest.raises(ModelFileError, match="header"):
        _load(len(header).to_bytes(8, "little") + header, tmp_path)


OTHERS = {
    "nothing": b"",
    "eight bytes": b"\x00" * 8,
    "a pickle": pickle.dumps({"a": 1}),
    "a zip archive": b"PK\x03\x04" + bytes(100),
    "text": b"species,island\n" * 20,
    "a header without end": b"\xff" * 8 + b"{}",
    "a header of nothing": (2).to_bytes(8, "little") + b"{}",
    "a header too deep": (200_000).to_bytes(8, "little") + b"[" * 200_000,
}


@pytest.mark.parametrize("case", OTHERS)
def test_s6_other_files_are_refused(tmp_path, case):
    with pytest.raises(ModelFileError, match="cannot be loaded"):
        _load(OTHERS[case], tmp_path)


def test_f10_each_byte_cut_and_each_byte_flipped(tmp_path):
    """A small model, whole: no beginning of it and no flipped bit of it loads."""
    tree = glade.TreeRegressor(max_depth=1).fit([[0.0], [1.0]], [0.0, 1.0])
    tree.save(tmp_path / "whole.glade")
    whole = (tmp_path / "whole.glade").read_bytes()
    rng = np.random.default_rng(0)
    n_refused = 0
    for at in range(len(whole)):
        flipped = bytearray(whole)
        flipped[at] ^= 1 << int(rng.integers(8))
        for content in (whole[:at], bytes(flipped)):
            try:
                load_content(content)
            except ModelFileError:
                n_refused += 1
    assert n_refused == 2 * len(whole)
    assert load_content(whole).predict([[1.0]]) == 1.0


def load_content(content: bytes):
    return read_estimator(Part(*unpack(content)))


CLAIMS = {
    "a billion elements": ({"dtype": "F64", "shape": [10**9], "data_offsets": [0, 8 * 10**9]}, b""),
    "a shape beyond its bytes": ({"dtype": "F64", "shape": [10**13], "data_offsets": [0, 8]}, bytes(8)),
    "an overflowing shape": ({"dtype": "F64", "shape": [2**32, 2**32], "data_offsets": [0, 8]}, bytes(8)),
    "a negative shape": ({"dtype": "F64", "shape": [-1], "data_offsets": [0, 8]}, bytes(8)),
    "offsets in disorder": ({"dtype": "F64", "shape": [1], "data_offsets": [8, 0]}, bytes(8)),
}


@pytest.mark.parametrize("case", CLAIMS)
def test_s7_absurd_claims_cost_neither_time_nor_memory(tmp_path, case):
    tensor, data = CLAIMS[case]
    content = make_file({"state/tree/value": tensor}, data)
    tracemalloc.start()
    with pytest.raises(ModelFileError):
        _load(content, tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * len(content) + 2**20


def test_s7_tensors_that_overlap_or_stand_twice(tmp_path):
    own = {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}
    with pytest.raises(ModelFileError):
        _load(make_file({"a": own, "b": own}, bytes(8)), tmp_path)
    header = make_file({"a": own}, bytes(8))
    twice = header.replace(b'"a":', b'"a": {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}, "a":')
    twice = (len(twice) - 16).to_bytes(8, "little") + twice[8:]
    with pytest.raises(ModelFileError):
        _load(sign(twice), tmp_path)


def make_file(tensors: dict, data: bytes) -> bytes:
    """A file with a proper digest and these claims about its tensors."""
    document = json.dumps({"sha256": "0" * 64, "format": 1, "model": "TreeRegressor"})
    header = json.dumps({"__metadata__": {"glade": document}, **tensors}).encode()
    return sign(len(header).to_bytes(8, "little") + header + data)
