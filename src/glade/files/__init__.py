"""Files to tables: CSV, ARFF and Parquet, also gzipped; a fault is said with its line.

In: a path and `ReadOptions`. Out: `FileTable`, a pandas dataframe with the reasons for its kinds. Uses `core`. Used by
`cli`."""
