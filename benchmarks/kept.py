"""Rows of a benchmark, kept in a file as they are found: an interrupted run goes on, and parts become one table."""

import json
from pathlib import Path

import pandas as pd


def add_store(parser):
    """Give a benchmark the option `--store FILE`."""
    parser.add_argument("--store", type=Path, help="keep finished parts here, and go on from them")


def find_rows(store, given, name, seed, measure):
    """Rows of one seed on one set: those that the store has for these options, else measured now and kept there."""
    options = {key: value for key, value in vars(given).items() if key not in ("sets", "seeds", "store")}
    key = json.dumps([name, seed, options], sort_keys=True)
    if store is not None and store.exists():
        for line in store.read_text().splitlines():
            part = json.loads(line)
            if part["key"] == key:
                return pd.DataFrame(part["rows"])
    found = pd.DataFrame(measure())
    if store is not None:
        with store.open("a") as file:
            file.write(json.dumps({"key": key, "rows": found.to_dict("records")}, default=_to_plain) + "\n")
    return found


def _to_plain(value):
    return value.item()
