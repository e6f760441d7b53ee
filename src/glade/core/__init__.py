"""Words shared by all rooms: names for display, warnings, checks of parameters.

In: plain values. Out: checked values and texts. Uses scikit-learn. Used by every other room."""
