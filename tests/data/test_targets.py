"""Targets as read, their classes, and their way to channels and back."""

import numpy as np
import pandas as pd
import pytest

from glade.data.targets import (
    CLASSIFICATION,
    MIXED,
    REGRESSION,
    TargetSchema,
    check_known,
    encode_targets,
    match_classes,
    read_targets,
    to_label_array,
)

FRAME = pd.DataFrame({"price": [1.5, np.nan, 3.0], "kind": ["u", "v", None]})


def test_a_mixed_frame():
    price, kind = read_targets(FRAME, MIXED)
    assert (price.kind, price.labels) == ("numeric", None)
    assert (kind.kind, kind.labels) == ("nominal", ("u", "v"))
    schema = TargetSchema.of([price, kind])
    assert schema.names == ("price", "kind")
    assert schema.start.tolist() == [0, 1, 3]
    assert schema.channels_of(1) == slice(1, 3)


def test_the_task_decides_what_numbers_are():
    assert read_targets([1, 2, 1], REGRESSION)[0].labels is None
    assert read_targets([1, 2, 1], CLASSIFICATION)[0].labels == (1, 2)
    assert read_targets([1, 2, 1], MIXED)[0].labels is None
    assert read_targets([True, False], REGRESSION)[0].values.tolist() == [1.0, 0.0]
    assert read_targets([True, False], MIXED)[0].labels == (False, True)


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [
        ((1, 2), "i"),
        ((1.0, 2.0), "f"),
        ((False, True), "b"),
        (("u", "v"), "U"),
        (("u", "u\0"), "O"),
        (((1, 2), (3, 4)), "O"),
    ],
)
def test_label_arrays_hold_the_labels(labels, dtype):
    array = to_label_array(labels)
    assert array.dtype.kind == dtype
    assert array.shape == (2,)
    assert array.tolist() == list(labels)


def test_unknown_values_are_counted():
    targets = read_targets(FRAME, MIXED)
    check_known(targets, "ignore")
    with pytest.raises(ValueError, match=r"target 'price' lacks 1 value\(s\), the first in row 1"):
        check_known(targets, "error")


def test_classes_are_matched_by_label():
    [column] = read_targets(["v", "w", "u"], CLASSIFICATION)
    np.testing.assert_array_equal(match_classes(column, np.array(["u", "v"])), [1, -1, 0])


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1.0, 1e300])
def test_numbers_come_back_from_channels(scale):
    values = np.array([1.0, 2.5, -3.25, 1.75]) * scale
    encoded = encode_targets(read_targets(values, REGRESSION), np.ones(4), "variance", np.ones(1))
    assert (np.abs(encoded.channels.y[:, 0]) <= 1).all()
    np.testing.assert_array_equal(encoded.decode(encoded.channels.y)[:, 0], values)
    np.testing.assert_allclose(encoded.spread, np.std(values / scale) * scale)
    assert 0 < encoded.impurity_unit < np.inf


def test_classes_are_indicators():
    encoded = encode_targets(read_targets(["u", "w", "v", "u"], CLASSIFICATION), np.ones(4), "gini", np.ones(1))
    assert encoded.n_channels == 3
    assert encoded.channels.y[:, :3].tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]


def test_unknown_values_have_no_say():
    encoded = encode_targets(read_targets(FRAME, MIXED), np.ones(3), "gini", np.ones(2))
    assert encoded.channels.known.tolist() == [[1, 1], [0, 1], [1, 0]]
    np.testing.assert_allclose(encoded.spread, [0.75, 1.0])
