"""Trees as rules, and rules and trees in words.

In: `NodeTable`s, forests and schemas. Out: `RuleSet`s, which rows they cover, designs for the solvers, text. Uses
`data`, `grow`, `ensemble`; used by `weights`, `models` and `explain`.
"""
