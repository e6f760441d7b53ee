"""Any table to columns to integer codes; targets to channels; weights.

In: arrays and dataframes of any library. Out: `Table`, `CodedInputs`, `EncodedTargets`. Uses kernels for the coding.
Used by grow, rules and models."""
