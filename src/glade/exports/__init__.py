"""Fitted models in other languages, for whoever does not run glade.

In: a fitted model. Out: text (or bytes) in SQL, Python, JSON. A model becomes a `Description` (its terms and trees as
plain data), a description becomes a `Program` (named formulas), and a writer for each form prints one of the two. Uses
`models` and the rooms before it; used by `cli`.
"""
