"""scikit-learn estimators, thin: read, call the stages, keep the result.

In: what users have. Out: predictions in the user's terms. Uses all rooms above."""
