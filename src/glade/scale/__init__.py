"""Tables in partitions: larger than memory, on one machine or on a Dask cluster.

In come Parquet files or a Dask dataframe; out goes a fitted estimator like any other. A sample, drawn by the number of
each row, is fitted in memory by the same code as any table; passes over all partitions then move its weights to where
the slope of the loss over all rows wants them, and judge it on all rows that each fold holds out. Uses `models`,
`rules` and `losses`; `cli` uses it. Nothing else imports Dask.
"""
