"""The catalogue of bad and awkward input (design/robustness.md, 4.3 (c)), case by case: c07 is case 7.

Cases of the catalogue that do not concern trees, and why:

- c61 to c71 (CSV and ARFF files): there is no command line yet; the same holds for the "C:" halves of other cases.
- `n_estimators=0` in c56 and the bootstrap of c50: there are no forests yet; c50 is tested on what trees have of it, a
  class without weight and a class absent from a fold.
- c49 asks for the message when a class is too small for stratified folds: trees have it with `ccp_alpha="cv"`.
"""
