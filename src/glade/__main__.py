"""`python -m glade`: the demo, one tree for three targets of the bundled penguins."""

import warnings

from glade import MixedTree, load_penguins


def main() -> None:
    """Fit and print one small tree that predicts species, body mass and flipper length together."""
    penguins = load_penguins()
    targets = ["species", "body_mass_g", "flipper_length_mm"]
    X, y = penguins.drop(columns=targets), penguins[targets]
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        tree = MixedTree(min_samples_leaf=5, ccp_alpha="cv", ccp_rule="1se", random_state=0).fit(X, y)
    print(f"read {len(penguins)} penguins; inputs: {', '.join(X.columns)} ({int(X.isna().sum().sum())} values missing)")
    for note in notes:
        print(f"note: {note.message}")
    print()
    print(tree.to_text())


if __name__ == "__main__":
    main()
