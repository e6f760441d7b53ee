"""The model file: fitted models to bytes and back, without running any code.

In: a fitted estimator, or any bytes. Out: a file, or a model that predicts as the saved one did, or `ModelFileError`.
`container` are the bytes (safetensors, a JSON document, a digest), `parts` the named things in between, and each kind
of thing has one pair `store_...` and `read_...`: `schemas`, `trees`, `rules`, `estimators`. A `read_...` checks all
that the rest of the library takes for granted, above all what would lead a kernel out of its arrays."""
