"""The stored data sets: a folder of gzipped CSV files and the `manifest.json` that describes them.

The manifest names for each set its file, digest, missing marker, source, and the kind and role of every column; what it
says holds, nothing is guessed. The folder is the one given, else the one in the environment variable GLADE_DATA, else
`../shared/data`.
"""

import difflib
import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glade.core.errors import InputError
from glade.core.names import list_names, quote_name

VARIABLE = "GLADE_DATA"
DEFAULT_FOLDER = Path("..", "shared", "data")
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class DataSet:
    """A stored set: inputs and targets as pandas dataframes, nominal columns as categoricals.

    Attributes
    ----------
    name : str
    X, y : DataFrame
    split : Series or None
        Where the set has a customary division, the part of each row ("train", "test", ...).
    about : dict
        The set's entry in the manifest: source, licence, notes, ...
    """

    name: str
    X: Any
    y: Any
    split: Any
    about: dict[str, Any]


def load_dataset(name: str, folder: str | Path | None = None) -> DataSet:
    """Read a stored data set, after its digest was checked.

    Parameters
    ----------
    name : str
        As in the manifest.
    folder : path, optional
        Where `manifest.json` is. By default the folder in the environment variable GLADE_DATA, else `../shared/data`.

    Examples
    --------
    >>> from studies.datasets import load_dataset
    >>> load_dataset("jura").X.shape  # doctest: +SKIP
    (359, 15)
    """
    import pandas as pd

    home = find_folder(folder)
    about = _find_entry(name, _read_manifest(home))
    path = home / about["file"]
    _check_file(path, name, about)
    columns = about["columns"] or _list_columns(path, about)
    nominal = [column for column, kind, _ in columns if kind == "nominal"]
    table = pd.read_csv(
        path,
        dtype=dict.fromkeys(nominal, str),
        keep_default_na=False,
        na_values=[about["missing_marker"]],
    )
    for column in nominal:
        values = about["nominal"].get(column, {}).get("values")  # long lists are left out of the manifest
        table[column] = table[column].astype(pd.CategoricalDtype(values) if values else "category")
    parts = {role: [column for column, _, r in columns if r == role] for role in ("input", "target", "split")}
    split = table[parts["split"][0]] if parts["split"] else None
    return DataSet(name, table[parts["input"]], table[parts["target"]], split, about)


def _list_columns(path: Path, about: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Name, kind and role of each column of a set that is too wide for the manifest to list them."""
    import pandas as pd

    roles = dict.fromkeys(about["targets"], "target") | {about.get("split_column"): "split"}
    names = pd.read_csv(path, nrows=0).columns
    is_text = {about.get("split_column"), *about["nominal"]}
    return [(name, "nominal" if name in is_text else "numeric", roles.get(name, "input")) for name in names]


def load_tables(names: Iterable[str], folder: str | Path | None = None) -> dict[str, tuple[Any, Any]]:
    """Read several sets; returns the inputs and the targets of each by name, as `glade.compare` takes them."""
    sets = [load_dataset(name, folder) for name in names]
    return {data.name: (data.X, data.y) for data in sets}


def list_datasets(folder: str | Path | None = None) -> list[str]:
    """Returns the names of the stored sets."""
    return list(_read_manifest(find_folder(folder)))


def find_folder(given: str | Path | None = None) -> Path:
    """The folder of the data sets; it has a manifest."""
    asked, how = (given, "given") if given is not None else (os.environ.get(VARIABLE), f"set in {VARIABLE}")
    folder, how = (Path(asked), how) if asked else (DEFAULT_FOLDER, "looked in by default")
    if not (folder / MANIFEST).is_file():
        raise InputError(
            f"there are no data sets in {quote_name(folder)} ({how}): give the folder that holds {MANIFEST}, on the"
            f" command line by --data, or set the environment variable {VARIABLE}"
        )
    return folder


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as fault:
        raise InputError(f"{quote_name(folder / MANIFEST)} cannot be read as JSON: {fault}") from None
    if not isinstance(manifest, dict):
        raise InputError(f"{quote_name(folder / MANIFEST)} must map names of data sets to their descriptions")
    return manifest


def _find_entry(name: str, manifest: dict[str, Any]) -> dict[str, Any]:
    if name in manifest:
        return dict(manifest[name])
    near = difflib.get_close_matches(name, manifest, n=3) or sorted(manifest)
    hint = "do you mean" if len(near) <= 3 else "there are"
    raise InputError(f"there is no data set {quote_name(name)}: {hint} {list_names(near)}")


def _check_file(path: Path, name: str, about: dict[str, Any]) -> None:
    source = about.get("source", {})
    whence = f"get it from {source.get('path', 'its source')} of {source.get('repository', 'the manifest')}"
    if not path.is_file():
        raise InputError(f"the file {path.name} of data set {quote_name(name)} is missing in {path.parent}: {whence}")
    if hashlib.sha256(path.read_bytes()).hexdigest() != about["sha256"]:
        raise InputError(
            f"the file {path.name} of data set {quote_name(name)} is not the one in the manifest (its SHA-256 differs):"
            f" {whence}"
        )
