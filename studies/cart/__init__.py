"""The car table of the CART source: trees, pruned trees, bagging and random forests on "Car Features and MSRP".

`cars` is the table, `limits` the study of two limits of growth, `forests` the ensembles, `study` puts them together.
Uses the harness. Used by `python -m studies cart`."""
