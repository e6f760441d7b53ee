"""Why a model says what it says.

In: forests or weighted terms, encoded rows. Out: dataframes. Uses `ensemble`, `rules`; the methods of `models` call it.
"""
