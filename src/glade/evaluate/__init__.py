"""Models x data x folds, judged: one long table, and what it says of the models.

In: estimators and tables, or names of the stored sets. Out: `Comparison` (frame, ranks, tests, pictures), and the
published tables beside ours (`reproductions`). Uses `models` and every room before it. Used by `report` and `cli`."""
