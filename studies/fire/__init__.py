"""FIRE (Aho, Zenko and Dzeroski 2009): rules for one number and for many, beside one tree and a random forest.

`published` has the source's figures, `runs` the sets, folds and fits, `study` sets them beside each other and draws the
source's diagrams; `covering` has rules by covering, its further work. Used by `python -m studies fire` and `covering`.
"""
