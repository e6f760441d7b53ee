"""One tree: growth, the stored form, pruning.

In: coded inputs and encoded targets. Out: a `NodeTable`. Uses kernels. Used by rules and models."""
