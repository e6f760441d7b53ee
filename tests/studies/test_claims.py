"""The table of all claims: where each verdict comes from, and what a missing or quick run leaves of it."""

from pathlib import Path

import pytest

from studies.claim_list import CLAIMS
from studies.claim_types import Claim, Figures, Held, NotRun, Shown
from studies.claims import tabulate_claims
from studies.figures import Figure, PValue, Reproduction
from studies.reasons import REASONS
from studies.recorded import Record

ROOT = Path(__file__).parents[2]


def make_record(*figures, has_verdicts=True):
    reproduction = Reproduction("fire", "FIRE", "Once.", figures, has_verdicts=has_verdicts)
    return {"fire": Record(reproduction, "python -m studies fire -o dev", "2026-01-01", "abc", "Python")}


def tell(monkeypatch, records, *told):
    claims = tuple(Claim("000", "table", "errors", each, "as said") for each in told)
    monkeypatch.setattr("studies.claims.CLAIMS", claims)
    return [line for line in tabulate_claims(records) if line.startswith("| 000")]


def test_every_test_that_holds_a_claim_is_there():
    tests = {claim.told.test for claim in CLAIMS if isinstance(claim.told, Held)}
    assert tests
    assert all((ROOT / test).is_file() for test in tests)


def test_there_are_claims_of_all_five_sources_and_reasons_only_for_these():
    assert {claim.source[:3] for claim in CLAIMS} == {"000", "001", "002", "003", "004"}
    assert len(CLAIMS) >= 60
    places = {(claim.source[:3], claim.where) for claim in CLAIMS}
    assert set(REASONS) <= places


def test_a_row_says_what_the_study_found(monkeypatch):
    records = make_record(Figure("a: tree", "RMSE", 1.0, (1.0, 1.2)), Figure("a: rules", "RMSE", 1.0, (3.0,)))
    rows = tell(
        monkeypatch,
        records,
        Figures("fire", "RMSE", ("a: tree", "a: rules")),
        Figures("fire", "RMSE", ("a: .*",)),
        Figures("fire", "RMSE", ("b: .*",)),
        Figures("cart", "RMSE", ("a: tree",)),
        Held("tests/test_floors.py"),
        NotRun("not public"),
        Shown("fire"),
    )
    verdicts = [row.split(" | ")[-2] for row in rows]
    assert verdicts == [
        "1 agrees, 1 worse",
        "1 agrees, 1 worse",
        "not run: left out of this run",
        "no run yet",
        "holds",
        "not run: not public",
        "shown",
    ]
    assert "| 1 ± 0 / 3 |" in rows[0]
    assert "pytest tests/test_floors.py" in rows[4]


def test_many_figures_are_counted(monkeypatch):
    records = make_record(*(Figure(f"a {k}", "RMSE", 100.0, (100.0 + k,)) for k in range(9)))
    (row,) = tell(monkeypatch, records, Figures("fire", "RMSE", ("a .*",)))
    assert "9 figures, in the median +4.0 % off" in row
    assert "1 agrees, 8 worse" in row


@pytest.mark.parametrize(("has_verdicts", "verdict"), [(True, "differs: no difference"), (False, "quick run")])
def test_a_quick_run_gives_no_verdict(monkeypatch, has_verdicts, verdict):
    records = make_record(PValue("a > b", "p", 1e-6, (0.5,)), has_verdicts=has_verdicts)
    (row,) = tell(monkeypatch, records, Figures("fire", "p", ("a > b",)))
    assert verdict in row


def test_figures_beside_which_nothing_is_published_are_shown(monkeypatch):
    records = make_record(Figure("a: lists", "RMSE", None, (1.0, 1.2)), Figure("a: tree", "RMSE", 1.0, (1.0, 1.2)))
    rows = tell(monkeypatch, records, Figures("fire", "RMSE", ("a: lists",)), Figures("fire", "RMSE", ("a: .*",)))
    assert [row.split(" | ")[-2] for row in rows] == ["shown", "1 agrees, 1 not published"]
