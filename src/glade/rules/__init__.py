"""Trees in words.

In: `NodeTable`s and schemas. Out: text. Used by models."""
