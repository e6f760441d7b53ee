"""Models x data x folds, judged: one long table, and what it says of the models.

In: estimators and tables. Out: `Comparison` (frame, ranks, tests, pictures), and findings about a table. Uses `models`
and every room before it. Used by `cli`."""
