"""One tree: growth in three layers (histogram, split, grow), the stored form, routing, pruning.

In: coded inputs and encoded targets. Out: a `NodeTable`. Uses core and data. Used by ensemble, rules and models.
"""
