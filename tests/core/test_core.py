"""Names for display, warnings, checks of parameters."""

import warnings
from numbers import Integral, Real

import pytest
from sklearn.utils._param_validation import Interval, InvalidParameterError

from glade import TreeRegressor
from glade.core.names import join_words, list_names, quote_name, show_name
from glade.core.notices import warn_user
from glade.core.parameters import check_parameters


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("price", "price"),
        ("", "''"),
        ("a\tb\n\0", "a\\tb\\n\\x00"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202eabc\u200b", "\\u202eabc\\u200b"),
        ("\ud800", "\\ud800"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 29 + "…" + "x" * 29),
        (3.5, "3.5"),
    ],
)
def test_shown_names_are_printable_and_short(name, shown):
    assert show_name(name) == shown
    assert show_name(name).isprintable()
    assert len(show_name(name)) <= 60
    assert quote_name(name) == (f"'{shown}'" if name else "''")


def test_lists_of_names():
    assert list_names(["a"]) == "'a'"
    assert list_names(["a", "b", "c"]) == "'a', 'b' and 'c'"
    assert list_names(["a", "b", "c", "d", "e", "f"]) == "'a', 'b', 'c', 'd', 'e' and 1 more"
    assert join_words([]) == ""


def test_a_warning_points_here():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_user("look")
    assert (str(caught[0].message), caught[0].category, caught[0].filename) == ("look", UserWarning, __file__)


@pytest.mark.parametrize("value", [0, 1.5, True, "x"])
def test_a_parameter_outside_its_constraints(value):
    constraints = {"depth": [Interval(Integral, 1, None, closed="left")]}
    check_parameters(constraints, {"depth": 1, "other": "anything"}, "Tree")
    with pytest.raises(InvalidParameterError) as fault:
        check_parameters(constraints, {"depth": value}, "Tree")
    assert str(fault.value) == (
        f"The 'depth' parameter of Tree must be an int in the range [1, inf). Got {value!r} instead."
    )


def test_a_whole_number_that_is_no_double_is_refused():
    constraints = {"learning_rate": [Interval(Real, 0.0, None, closed="neither")]}
    with pytest.raises(InvalidParameterError, match="'learning_rate' parameter of Forest is too large a number"):
        check_parameters(constraints, {"learning_rate": 10**400}, "Forest")


def test_a_flag_where_flags_are_allowed():
    check_parameters({"quiet": ["boolean"]}, {"quiet": True}, "Tree")


def test_parameters_found_fine_are_no_others():
    """What is remembered of a fit lets nothing else pass: True is not 1, and one wrong value is wrong every time."""
    X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]
    TreeRegressor(max_depth=1).fit(X, y)
    TreeRegressor(max_depth=1).fit(X, y)
    for wrong in (True, 1.0, 0):
        for _ in range(2):
            with pytest.raises(ValueError, match="max_depth"):
                TreeRegressor(max_depth=wrong).fit(X, y)
