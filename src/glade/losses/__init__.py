"""Losses and links: what a prediction of a target costs, and how the sums of a model become predictions.

Targets as columns of numbers come in; values, gradients, curvatures, starts and probabilities come out. Uses NumPy and
SciPy alone; used by boosting (`ensemble`), solvers (`weights`), rule models (`rules`), their files, pages and
explanations. A new loss is one file, and one line in `registry.py`.
"""
