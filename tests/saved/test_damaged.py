"""Whatever the bytes are: a model that predicts, or ModelFileError (F10, F11, S6, S7).

The fuzzer takes 15 seconds, or as many as `GLADE_FUZZ_SECONDS` says.
"""

import json
import pickle
import time
import tracemalloc
import zlib
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest

import glade
from glade.core.errors import ModelFileError
from glade.models.saved.container import pack, unpack
from glade.models.saved.estimators import read_estimator
from glade.models.saved.parts import FilePart
from tests.fitted import MAKERS, fit
from tests.fuzz.measuring import SECONDS
from tests.saved.measured import load_in_child
from tests.saved.mutations import ACCIDENTS, DESIGNS, open_content, sign

N_ACCIDENTS = 30  # of each kind for each model
MOST_FAULTS = 20  # the fuzzer shows
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
        known = (
            np.array([*(labels or ()), None], object)
            if labels is not None
            else np.array([0.0, 1e9, -3.5, np.nan, 1e300, -1e300])
        )
        values = known[rng.integers(0, len(known), N_ROWS)]
        columns[name] = pd.Series(values, dtype=object if labels is not None else float)
    return pd.DataFrame(columns)


def use(model) -> None:
    """All that a model reads its arrays for: routes, sums, words, rules, importances, pruning."""
    rows = make_rows(model.schema_)
    assert len(model.predict(rows)) == N_ROWS
    assert np.isfinite(model._channel_values(rows)).all()
    assert model.feature_importances_.shape == (model.n_features_in_,)
    assert model.size_ is not None
    if hasattr(model, "to_text"):
        assert model.to_text()
    if hasattr(model, "with_rules"):
        for size in model.path_.frame()["terms"]:
            assert np.isfinite(model.with_rules(size)._channel_values(rows)).all()
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


@cache
def read_whole(name: str) -> bytes:
    """The file of a model; the kernels that its use takes are compiled then."""
    use(fit(name))
    with TemporaryDirectory() as folder:
        return _bytes_of(name, Path(folder))


def make_case(number: int) -> tuple[str, bytes]:
    """What is done to which model, and the file: always the same for a number."""
    names, kinds = list(MAKERS), list(DESIGNS)
    name, kind = names[number % len(names)], kinds[(number + number // len(names)) % len(kinds)]
    rng = np.random.default_rng(number)
    return f"case {number} ({name}, {kind})", DESIGNS[kind](read_whole(name), read_whole("tree, classes"), rng)


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak of memory is read from /proc")
@pytest.mark.filterwarnings("ignore")
def test_s7_a_crafted_file_is_a_model_or_refused_and_costs_little(tmp_path):
    for name in MAKERS:
        read_whole(name)
    end, faults, path = time.monotonic() + SECONDS, {}, tmp_path / "crafted.glade"
    for number in count():
        case, content = make_case(number)
        path.write_bytes(content)
        del content
        fault = load_in_child(path, use).fault
        if fault:
            faults[case] = fault
        is_enough = number + 1 >= len(MAKERS)  # each model has been crafted at least once
        if (is_enough and time.monotonic() > end) or len(faults) == MOST_FAULTS:
            break
    assert not faults, f"{len(faults)} of {number + 1} cases, the first:\n" + "\n".join(
        f"{case}: {fault}" for case, fault in faults.items()
    )


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
    "a cut of NaN": ({"split_cut": put(0, np.nan)}, "holds NaN or infinity"),
    "a split of another kind": ({"split_kind": lambda kind: kind % 3 + 1}, "of the wrong kind"),
    "a split of no kind": ({"split_kind": put(0, 7)}, "of the wrong kind"),
    "a cut of a nominal split": (
        {"split_cut": lambda cut: cut + (cut == 0.0)},
        "has no cut, or one where there is none",
    ),
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
    "F11 a newer format": ({"format": 3}, "of format 3, and this glade reads up to 2: install a newer glade"),
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
    return read_estimator(FilePart(*unpack(content)))


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


@pytest.mark.parametrize("shape", [[0, 2**62], [2**63, 0], [1] * 80])
def test_s7_a_shape_that_no_array_can_have(tmp_path, shape):
    n_bytes = 0 if 0 in shape else 8
    content = make_file({"a": {"dtype": "F64", "shape": shape, "data_offsets": [0, n_bytes]}}, bytes(n_bytes))
    with pytest.raises(ModelFileError, match="'a' is of a shape that no array can have"):
        _load(content, tmp_path)


def with_parameter(value) -> bytes:
    document, arrays = open_content(read_whole("tree, one number"))
    return pack({**document, "parameters": [["max_depth", value]]}, arrays)


def with_classes(labels, kind="str", n_targets=1) -> bytes:
    document, arrays = open_content(read_whole("tree, text"))
    names, value = (
        [f"y{k}" for k in range(n_targets)],
        np.zeros((len(arrays["state/tree/value"]), len(labels) * n_targets)),
    )
    targets = {"names": names, "classes": [[kind, labels]] * n_targets}
    spread = np.ones(n_targets)
    return pack({**document, "targets": targets}, {**arrays, "state/tree/value": value, "state/spread": spread})


def with_labels(labels) -> bytes:
    document, arrays = open_content(read_whole("tree, one number"))
    inputs = {**document["inputs"], "labels": [own and labels for own in document["inputs"]["labels"]]}
    return pack({**document, "inputs": inputs}, arrays)


def with_leaves(n: int) -> bytes:
    """A boosted forest of so many trees that have no split."""
    document, arrays = open_content(read_whole("forest, boosted"))
    for name in arrays:
        if "/trees/" in name:
            is_split = name.rpartition("/")[2].startswith(("split", "set", "categories"))
            arrays[name] = arrays[name][:0] if is_split else np.repeat(arrays[name][:1], n, axis=0)
    return pack(document, {**arrays, "state/forests/0/trees/n_splits": np.zeros(n, np.int64)})


def with_steps(n: int) -> bytes:
    """A path of so many steps that have no term."""
    document, arrays = open_content(read_whole("rules"))
    for name in arrays:
        if "state/path/" in name:
            arrays[name] = np.repeat(arrays[name][:1], n, axis=0)
    arrays |= {"state/path/length": np.zeros(n, np.int64), "state/changes": arrays["state/changes"][:0]}
    return pack(
        document, arrays | {f"state/path/{own}": arrays[f"state/path/{own}"][:0] for own in ("terms", "weights")}
    )


SAME_HASH = [k * (2**61 - 1) for k in range(50_000)]
BOMBS = {
    "an array of text with a long one": lambda: with_parameter({"array": ["str", ["a" * 10**6] + ["b"] * 1500]}),
    "classes with a long one": lambda: with_classes(["a" * 10**6, *(f"b{k}" for k in range(800))]),
    "many targets of uneven classes": lambda: with_classes(["a" * 900, *(f"b{k}" for k in range(60))], n_targets=900),
    "classes made to have one hash": lambda: with_classes(SAME_HASH, "object"),
    "categories made to have one hash": lambda: with_labels(SAME_HASH),
    "keys made to have one hash": lambda: with_parameter({"mapping": [[k, 0] for k in SAME_HASH]}),
    "categories with a long one": lambda: with_labels(["a" * 10**6, *(f"b{k}" for k in range(10**4))]),
    "empty lists": lambda: with_parameter([[]] * 5 * 10**6),
    "empty mappings": lambda: with_parameter([{}] * 10**6),
    "lists within lists": lambda: with_parameter([[[[]]]] * 10**6),
    "fewer lists within lists": lambda: with_parameter({"array": ["str", [[[[]]]] * 42_000]}),
    "numbers": lambda: with_parameter([300] * 10**6),
    "short text": lambda: with_parameter(["ab"] * 10**6),
    "text with one wide letter": lambda: with_parameter(["a" * 10**7 + "\U0001f333"]),
    "long numbers": lambda: with_parameter([10**4000] * 500),
    "many arrays": lambda: pack({}, {f"a{k}": np.zeros(0) for k in range(10**5)}),
    "many trees of one leaf": lambda: with_leaves(50_000),
    "many steps of no term": lambda: with_steps(50_000),
}


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak of memory is read from /proc")
@pytest.mark.parametrize("case", BOMBS)
def test_s7_a_file_takes_little_memory_and_time_whatever_it_holds(tmp_path, case):
    (tmp_path / "bomb.glade").write_bytes(BOMBS[case]())
    assert load_in_child(tmp_path / "bomb.glade", lambda model: None).fault == ""


def test_s7_many_small_trees_predict_as_they_would_one_by_one(tmp_path):
    model = _load(with_leaves(1000), tmp_path)
    own, rows = fit("forest, boosted"), make_rows(model.schema_)
    first = own.forests_[0].trees[0].value[0]
    assert model._channel_values(rows)[0] == pytest.approx(own.forests_[0].start + 0.1 * 1000 * first, rel=1e-9)


HUGE = {
    "fire": ("state/path/offset", "the terms of a model add up to more than a number can be"),
    "rules": ("state/path/weights", "the terms of a model add up to more than a number can be"),
    "rulefit": ("state/terms/design/linear/scale", "the terms of a model add up to more than a number can be"),
    "soft rules": ("state/terms/design/soft/curves/linear", "a curve leads beyond what a number can be"),
    "forest, numbers": ("state/forests/0/trees/value", "the values of trees add up to more than a number can be"),
    "forest, boosted": ("state/forests/0/trees/value", "the values of trees add up to more than a number can be"),
    "forest, classes": ("state/forests/0/trees/value", "a share of a class is not between 0 and 1"),
    "multi-tree, numbers": ("state/tree/value", "the values of leaves add up to more than a number can be"),
    "multi-tree, classes": ("state/tree/value", "a share of a class is not between 0 and 1"),
}


@pytest.mark.parametrize("name", HUGE)
def test_s7_numbers_whose_sums_are_none_are_refused(tmp_path, name):
    place, message = HUGE[name]
    document, arrays = open_content(_bytes_of(name, tmp_path))
    with pytest.raises(ModelFileError, match=message):
        _load(pack(document, {**arrays, place: np.full_like(arrays[place], 1.5e308)}), tmp_path)


def test_s7_a_curve_of_no_width_and_splits_that_gain_less_than_nothing_are_refused(tmp_path):
    for name, end, value, message in (
        ("soft rules", "curves/spread", 5e-324, "a curve leads beyond what a number can be"),
        ("multi-tree, numbers", "tree/split_gain", -1.0, "a split gains less than nothing"),
        ("multi-tree, numbers", "marginals/up_to", -1.0, "the values of an input do not ascend to all rows"),
    ):
        document, arrays = open_content(_bytes_of(name, tmp_path))
        (place,) = (place for place in arrays if place.endswith(end))
        with pytest.raises(ModelFileError, match=message):
            _load(pack(document, {**arrays, place: np.full_like(arrays[place], value)}), tmp_path)


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
