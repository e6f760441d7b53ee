"""
Is one method better, or only luckier?
======================================

All methods see the same folds of each table. A picture of their average ranks says which of them can be told apart:
methods that a bar joins do not differ by more than chance.
"""

from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import RidgeCV

import glade

penguins = glade.load_penguins().dropna()
measures = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
tables = {"diabetes": load_diabetes(return_X_y=True, as_frame=True)}
for target in measures:
    tables[target] = (penguins[measures].drop(columns=target), penguins[target])

result = glade.compare(
    {
        "mean": DummyRegressor(),
        "linear": RidgeCV(),
        "tree": glade.TreeRegressor(ccp_alpha="cv"),
        "forest": glade.ForestRegressor(50, random_state=0),
    },
    tables,
    folds=5,
)
print(result.errors().round(2))
result.plot()

# %%
# One table alone, fold by fold:

result.plot_folds("body_mass_g")
