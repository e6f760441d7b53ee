"""Every Numba function, and nothing else; `layout` says in what form they take things.

In and out: NumPy arrays. Uses Numba, which is imported when the first kernel is needed. Used by data and grow."""
