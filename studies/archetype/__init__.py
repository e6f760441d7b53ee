"""Ferri, Hernández-Orallo and Ramírez-Quintana: one tree from very many, by its likeness to all of them.

`published` has the source's three tables, `models` its trees as estimators, `runs` all fits; `study` sets the two
beside each other, as trends, since the source does not name its sets. Used by `python -m studies archetype`."""
