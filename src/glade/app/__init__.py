"""A local app for those who do not type commands: drop a table, see its check, choose targets, watch the fit.

In: the commands of glade, each run in a process of its own. Out: a server on this machine that shows what they say, and
the page that they write. It has no view of a model of its own, and nothing leaves the machine.
"""
