"""The tests, importable so that they can share readers and slow twins."""
