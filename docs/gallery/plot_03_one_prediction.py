"""
One prediction, term by term
============================

A prediction is a sum, so it can be drawn as one: it starts with what every row gets, and each rule that fits the row
moves it.
"""

import glade

penguins = glade.load_penguins().dropna()
X, y = penguins.drop(columns="body_mass_g"), penguins["body_mass_g"]
model = glade.RuleEnsembleRegressor(max_rules=6, random_state=0).fit(X, y)

bars = glade.waterfall(model, X, row=200)
bars.plot()
print(bars.frame().round(0))
