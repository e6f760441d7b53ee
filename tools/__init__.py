"""What maintainers run: which Pythons there are, environments for each, the wheel."""
