"""The names that `import glade` offers, and what is said of those that it offered once."""

import pytest

import glade


def test_every_public_name_can_be_had():
    for name in glade.__all__:
        assert getattr(glade, name) is not None


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("IndicatorEncoder", "scikit-learn's OneHotEncoder"),
        ("complete_rows", "X.dropna()"),
        ("load_dataset", "studies.datasets"),
    ],
)
def test_a_name_that_is_gone_says_what_took_its_place(name, instead):
    with pytest.raises(ImportError, match=f"glade has no {name} since version 0.2.0") as caught:
        getattr(glade, name)
    assert instead in str(caught.value)
    assert name not in dir(glade)


def test_a_name_that_never_was_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'glade' has no attribute 'nothing'"):
        glade.nothing  # noqa: B018
