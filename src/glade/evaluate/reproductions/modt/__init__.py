"""Kocev, Vens, Struyf and Džeroski: ensembles of trees for many targets against one ensemble for each target.

`sets` are the tables, `models` the methods as the source ran them, `claims` its Wilcoxon tests, `study` puts them
together. Uses the harness. Used by `glade reproduce modt`."""
