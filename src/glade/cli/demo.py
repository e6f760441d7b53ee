"""`glade demo`: one tree for three targets of the bundled penguins."""

import warnings

import click


@click.command()
def demo() -> None:
    """Fit and print one small tree for species, body mass and flipper length of penguins."""
    from glade import MixedTree, load_penguins

    penguins = load_penguins()
    targets = ["species", "body_mass_g", "flipper_length_mm"]
    X, y = penguins.drop(columns=targets), penguins[targets]
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        tree = MixedTree(min_samples_leaf=5, ccp_alpha="cv", ccp_rule="1se", random_state=0).fit(X, y)
    n_missing = int(X.isna().sum().sum())
    click.echo(f"read {len(penguins)} penguins; inputs: {', '.join(X.columns)} ({n_missing} values missing)")
    for note in notes:
        click.echo(f"note: {note.message}")
    click.echo(f"\n{tree.to_text()}")
