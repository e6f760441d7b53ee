"""What a fitted model says of a row or an input: contributions, importances, partial dependence, averages, pictures.

A fitted model and rows come in, tables and pictures go out. Uses `rules`, `ensemble` and `data`; used by `models` (what
an estimator explains by itself), `evaluate` (what needs refits, such as the reference of interactions) and `report`.
"""
