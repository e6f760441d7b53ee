"""`glade rules`: a model for a person, or another program, to read."""

import json
from typing import Any

import click

TEXT = "text"
LEFT_OUT = ("kind", "rows", "importance", "inside_error", "inside_error (points)", "log_odds", "score")  # of documents
FORMATS = (TEXT, "csv", "json", "md", "latex")


@click.command()
@click.argument("model")
@click.option("--format", "form", type=click.Choice(FORMATS), default=TEXT, show_default=True)
@click.option("--target", "targets", multiple=True, metavar="COL", help="Of many targets, only this; also 'sp*'.")
@click.option("--raw-csv", is_flag=True, help="Do not mark text that a spreadsheet would run as a formula.")
def rules(model: str, form: str, targets: tuple[str, ...], raw_csv: bool) -> None:
    """Print the rules of MODEL: those of a rule ensemble, or the leaves of a tree."""
    from glade.cli.outputs import echo_data
    from glade.cli.predictions import check_is_readable
    from glade.cli.show import choose_targets, show_model
    from glade.cli.stored_models import open_model
    from glade.core.errors import InputError

    fitted = open_model(model)
    check_is_readable(fitted, model)
    chosen = choose_targets(fitted, targets)
    if targets and form != TEXT:
        raise InputError("--target is for --format text: the other formats hold all targets")
    echo_data("\n".join(show_model(fitted, chosen)) if form == TEXT else render(fitted, form, raw_csv))


def _to_json(table: Any, conditions: list[Any]) -> str:
    """The rules with their conditions as JSON, in which nothing is NaN."""
    records = [
        {**{name: None if cell != cell else cell for name, cell in record.items()}, "conditions": own}
        for record, own in zip(table.to_dict("records"), conditions, strict=True)
    ]
    return json.dumps([{"rule": record["rule"], **record} for record in records], indent=2, ensure_ascii=False)


def render(model: Any, form: str, raw_csv: bool = False) -> str:
    """A model's rules in one of the formats for programs and documents."""
    from glade.cli.predictions import tabulate_rules
    from glade.core.layout import align_markdown
    from glade.core.spreadsheets import to_csv
    from glade.exports.latex import write_latex

    if form == "latex":
        return write_latex(model).rstrip("\n")
    table = tabulate_rules(model)
    conditions = [[_plain(condition) for condition in own] for own in table["conditions"]]
    if form == "json":
        return _to_json(table.drop(columns="conditions"), conditions)
    if form == "csv":
        table["conditions"] = [json.dumps(own, ensure_ascii=False) for own in conditions]
        return to_csv(table, raw_csv).rstrip("\n")
    table = table[[name for name in table if not name.endswith(LEFT_OUT)]].drop(columns="conditions")
    cells = [[_show(cell) for cell in row] for row in table.itertuples(index=False)]
    numeric = [kind.kind in "iuf" for kind in table.dtypes]
    return "\n".join(align_markdown([list(table.columns), *cells], numeric))


def _plain(condition: dict[str, Any]) -> dict[str, Any]:
    """A condition with categories that JSON can hold."""
    from glade.exports.describe import to_plain

    categories = condition["categories"]
    return {**condition, "categories": None if categories is None else list(map(to_plain, categories))}


def _show(cell: Any) -> str:
    if isinstance(cell, float):
        return "" if cell != cell else f"{cell:.4g}"  # nothing is outside the offset's rows
    return str(cell)
