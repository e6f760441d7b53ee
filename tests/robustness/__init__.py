"""The catalogue of bad and awkward input (design/robustness.md, 4.3 (c)), case by case: c07 is case 7.

Cases of the catalogue that do not concern trees, and why:

- c61 to c72 (CSV and ARFF files, seeds): `tests/cli/test_tables.py`, `tests/data/test_csv.py`, `test_arff.py`; faults
  (F) and attacks (S): `tests/cli/test_faults.py`, `tests/cli/test_security.py`, `tests/saved`.
- `n_estimators=0` in c56 and the bootstrap of c50: there are no forests yet; c50 is tested on what trees have of it, a
  class without weight and a class absent from a fold.
- c49 asks for the message when a class is too small for stratified folds: trees have it with `ccp_alpha="cv"`.
"""
