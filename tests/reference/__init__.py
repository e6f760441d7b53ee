"""Slow twins of the compiled code, written to be read beside the formulas."""
