"""`glade rules`: a model for a person, or another program, to read."""

import json
from typing import Any

import click

FORMATS = ("text", "csv", "json", "md", "latex")


@click.command()
@click.argument("model")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--raw-csv", is_flag=True, help="Do not mark text that a spreadsheet would run as a formula.")
def rules(model: str, form: str, raw_csv: bool) -> None:
    """Print the rules of MODEL: those of a rule ensemble, or the leaves of a tree."""
    from glade.cli.outputs import echo_data
    from glade.cli.predictions import check_is_readable
    from glade.cli.stored_models import open_model

    fitted = open_model(model)
    check_is_readable(fitted, model)
    echo_data(render(fitted, form, raw_csv))


def render(model: Any, form: str, raw_csv: bool = False) -> str:
    """A model's rules in one of the formats."""
    from glade.cli.predictions import tabulate_rules
    from glade.core.layout import align_markdown
    from glade.core.spreadsheets import to_csv
    from glade.exports.latex import write_latex

    if form == "text":
        return model.to_text()
    if form == "latex":
        return write_latex(model).rstrip("\n")
    table = tabulate_rules(model)
    conditions = [[_plain(condition) for condition in own] for own in table["conditions"]]
    if form == "json":
        records = [
            {**{name: None if cell != cell else cell for name, cell in record.items()}, "conditions": own}
            for record, own in zip(table.drop(columns="conditions").to_dict("records"), conditions, strict=True)
        ]
        return json.dumps([{"rule": record["rule"], **record} for record in records], indent=2, ensure_ascii=False)
    if form == "csv":
        table["conditions"] = [json.dumps(own, ensure_ascii=False) for own in conditions]
        return to_csv(table, raw_csv).rstrip("\n")
    table["conditions"] = list(map(len, conditions))
    cells = [[_show(cell) for cell in row] for row in table.itertuples(index=False)]
    numeric = [kind.kind in "iuf" for kind in table.dtypes]
    return "\n".join(align_markdown([list(table.columns), *cells], numeric))


def _plain(condition: dict[str, Any]) -> dict[str, Any]:
    """A condition with categories that JSON can hold."""
    from glade.exports.describe import to_plain

    categories = condition["categories"]
    return {**condition, "categories": None if categories is None else list(map(to_plain, categories))}


def _show(cell: Any) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
