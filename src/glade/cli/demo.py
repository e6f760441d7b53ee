"""`glade demo`: a tree and a short list of rules for three targets of the bundled penguins, and a page about them."""

import warnings

import click

TARGETS = ["species", "body_mass_g", "flipper_length_mm"]
N_RULES = 8
PAGE = "penguins-report.html"


@click.command()
@click.option("-o", "--output", metavar="PAGE", default=PAGE, show_default=True, help="Write the page here.")
def demo(output: str) -> None:
    """Fit and print a small tree and a short list of rules for penguins, and write a page about the rules."""
    from glade import MixedRuleEnsemble, MixedTree, load_penguins, write_report
    from glade.cli.outputs import check_folder, tell_lines
    from glade.models.warm_up import warm_up

    check_folder(output)
    warm_up()  # or the first fit of the newcomer's own table would wait again
    penguins = load_penguins()
    X, y = penguins.drop(columns=TARGETS), penguins[TARGETS]
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        tree = MixedTree(min_samples_leaf=5, ccp_alpha="cv", ccp_rule="1se", random_state=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they would say the same again
        model = MixedRuleEnsemble(max_rules=N_RULES, random_state=0).fit(X, y)
    write_report(model, X, y, output, name="penguins")
    n_missing = int(X.isna().sum().sum())
    tell_lines([f"read {len(penguins)} penguins; inputs: {', '.join(X.columns)} ({n_missing} values missing)"])
    tell_lines(f"note: {note.message}" for note in notes)
    tell_lines(["", *tree.to_text().splitlines(), ""])
    tell_lines(["or as rules: what every row gets, and what each rule adds to it", "", *model.to_text().splitlines()])
    tell_lines(["", f"wrote {output}: open it in a browser"])
