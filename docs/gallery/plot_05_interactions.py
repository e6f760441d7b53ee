"""
Which inputs act together
=========================

Two inputs interact if their joint effect is more than the sum of their single ones. Every model finds some
interaction, in noise too. So the model is fitted again to tables in which no inputs interact, and what it finds there
is drawn beside.

Here the first two inputs act together, and the third acts on its own.
"""

import numpy as np
import pandas as pd

import glade

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.random((400, 4)), columns=["rain", "sun", "wind", "noise"])
y = 4 * (X["rain"] > 0.5) * (X["sun"] > 0.5) + 2 * X["wind"] + rng.normal(0, 0.3, 400)

forest = glade.ForestRegressor(50, random_state=0).fit(X, y)
found = glade.interactions(forest, X, y, n_null=19, random_state=0)
found.plot()
print(found.frame()[["first", "second", "h", "p"]].round(2))
