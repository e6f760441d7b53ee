"""Models to files and back."""

from os import PathLike
from pathlib import Path
from typing import Any

from glade.core.errors import InputError, ModelFileError
from glade.core.files import remove_leftovers, write_whole
from glade.core.names import quote_name
from glade.core.version import __version__
from glade.models.base import TabularEstimator
from glade.models.saved.container import pack, unpack
from glade.models.saved.estimators import read_estimator, store_estimator
from glade.models.saved.parts import FilePart, flatten


def write_model(model: TabularEstimator, path: str | PathLike[str], with_held_out: bool = True) -> None:
    """Write a fitted model to a file, whole or not at all; what `load` would refuse is never written."""
    path = Path(path)
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {quote_name(path.parent)} to write {path.name} to")
    values, arrays = flatten(store_estimator(model, with_held_out))
    content = pack({"glade": __version__, **values}, arrays)
    _check_loads(content, path)
    remove_leftovers(path)
    write_whole(path, content)


def _check_loads(content: bytes, path: Path) -> None:
    """Read what is about to be written: a model that is refused then would be lost."""
    try:
        read_estimator(FilePart(*unpack(content)))
    except ModelFileError as fault:
        raise RuntimeError(
            f"{quote_name(path)} was not written, because it could not be loaded again ({fault}): this is a defect of"
            " glade, please report it"
        ) from fault


def load(path: str | PathLike[str]) -> Any:
    """Return the model in a file that `save` wrote: it predicts, prints and explains as the one that was saved.

    Whatever the file holds, no code in it is run: it is a model, or `ModelFileError` says what is wrong.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    estimator
        Fitted, of the class that was saved. Out-of-bag predictions of forests (`oob_prediction_`) and the forest that a
        rule ensemble was made from (`generator_`) are not kept, nor are parameters that are no plain values, such as a
        `RandomState`.

    Examples
    --------
    >>> import tempfile
    >>> import glade
    >>> penguins = glade.load_penguins()
    >>> tree = glade.TreeClassifier(max_depth=2).fit(penguins[["island", "bill_length_mm"]], penguins["species"])
    >>> path = Path(tempfile.mkdtemp()) / "species.glade"
    >>> tree.save(path)
    >>> glade.load(path).to_text() == tree.to_text()
    True
    """
    try:
        return read_estimator(
            FilePart(*unpack(Path(path).read_bytes()))
        )  # so the bytes are free before the model is made
    except ModelFileError as fault:
        raise ModelFileError(f"{quote_name(path)} cannot be loaded: {fault}") from None
