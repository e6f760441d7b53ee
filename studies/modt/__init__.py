"""Kocev, Vens, Struyf and Džeroski: ensembles of trees for many targets against one ensemble for each target.

`sets` are the tables, `models` the methods as the source ran them, `runs` all fits; from these `claims` has its tests,
`tables` sizes and losses, `readings` sizes under other readings, `speed` the seconds; `study` puts them together. Used
by `python -m studies modt`."""
