"""Trees as rules, and rules and trees in words.

In: `NodeTable`s, forests and schemas. Out: `RuleSet`s, which rows they cover, designs for the solvers of `weights`, text.
Uses `data`, `grow`, `ensemble`; used by `weights`, `models` and `explain`.
"""
