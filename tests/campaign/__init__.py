"""Trying to break glade: signals, poor surroundings, hostile files, heavy loads.

In the suite each part takes some seconds; `make break` gives each ten minutes and more cases.
`docs/dev/robustness.md` says what was tried and what was found.
"""
