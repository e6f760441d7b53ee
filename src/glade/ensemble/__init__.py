"""Many trees: sampling, the one loop behind bagging, forests, ISLE and boosting, the stored forest.

In: coded inputs and encoded targets. Out: a `Forest`. Uses grow. Used by rules and models."""
