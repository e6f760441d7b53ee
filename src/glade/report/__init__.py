"""A page that shows a model to a person.

In: a fitted model and a table. Out: plain dictionaries of facts, then one HTML file that needs nothing else. Uses
`models`, `rules`, `data`; the command line calls it.
"""
