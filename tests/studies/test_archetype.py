"""The study of archetypes: its printed tables, and the whole of it on small sets."""

import numpy as np
import pytest

from studies import reproduce
from studies.archetype.models import make_models
from studies.archetype.published import BY_ALTERNATIVES, BY_INVENTED, BY_SIMILARITY, OF_FIRST
from studies.archetype.study import CLAIMS, NAMES
from studies.figures import Settings
from studies.rendering import to_text
from tests.datasets import find_folder

PRINTED_MEANS = {
    82.41: OF_FIRST,
    **dict(zip((83.49, 82.85, 82.55, 85.45, 83.78, 82.91, 86.44, 84.49, 82.65), BY_ALTERNATIVES.values(), strict=True)),
}


def geometric_mean(values):
    return np.exp(np.mean(np.log(values)))


@pytest.mark.parametrize("mean", PRINTED_MEANS)
def test_the_rows_give_the_printed_means(mean):
    assert geometric_mean(PRINTED_MEANS[mean]) == pytest.approx(mean, abs=0.006)


def test_the_other_tables_too():
    similar = [geometric_mean(values) for values in BY_SIMILARITY.values()]
    np.testing.assert_allclose(similar, [83.78, 83.45, 76.24], atol=0.006)
    invented = [geometric_mean(values) for values in BY_INVENTED.values()]
    np.testing.assert_allclose(invented, [63.57, 77.40, 82.88, 83.78, 83.57], atol=0.006)


def test_every_published_row_has_a_model_and_every_claim_two():
    assert set(make_models()) == set(NAMES)
    for claim in CLAIMS:
        assert np.mean(NAMES[claim.better]) > np.mean(NAMES[claim.worse])


@pytest.mark.skipif(find_folder() is None, reason="no data sets")
def test_the_study_runs():
    result = reproduce("archetype", Settings(folder=find_folder(), quick=True, progress=False))
    text = to_text(result)
    assert "fused 100 > first tree" in text
    means = {row[0]: row for row in result.tables[0].rows}
    assert means["first tree"][1] == "82.41"
    assert float(means["fused 100"][2]) > 80
    assert result.frame()["published"].notna().all()
