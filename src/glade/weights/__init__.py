"""Weights of terms: moments of a design and targets come in, a path of models from small to large comes out.

Uses `rules` (the design) and `kernels`; used by `models`. A solver knows nothing of trees, tables or words.
"""
