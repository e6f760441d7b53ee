"""`--set NAME=VALUE`: any parameter of an estimator, of the forest that its rules come from, or of its solver."""

import ast
import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from glade.core.errors import InputError
from glade.core.names import quote_name

WORDS = {"none": None, "true": True, "false": False}
WITHIN = "__"  # between the name of a part and that of its setting
GENERATOR, WEIGHTS = "generator", "weights"
OPTIONS = {"random_state": "--seed", "n_jobs": "--jobs"}


def apply_settings(model: Any, given: Sequence[str], forest_class: Any) -> Any:
    """The model with settings that are text; a name that it does not have is refused, with those that it has."""
    settings = read_settings(given)
    parts: dict[str, dict[str, Any]] = {GENERATOR: {}, WEIGHTS: {}}
    own = {}
    for name, value in settings.items():
        part, _, within = name.partition(WITHIN)
        if within and part in parts and part in model.get_params(deep=False):
            parts[part][within] = value
        else:
            own[name] = value
    _set(model, own)
    if parts[GENERATOR]:
        model.set_params(generator=_set(forest_class(), parts[GENERATOR], GENERATOR))
    if parts[WEIGHTS]:
        model.set_params(weights=_set(_make_solver(model.weights), parts[WEIGHTS], WEIGHTS))
    return model


def read_settings(given: Sequence[str]) -> dict[str, Any]:
    """Names with their values, none of them twice."""
    settings: dict[str, Any] = {}
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals):
            raise InputError(
                f"--set {quote_name(text)} sets nothing: give NAME=VALUE, such as --set min_samples_leaf=5"
            )
        if name in OPTIONS:
            raise InputError(f"--set {name} has an option of its own: give {OPTIONS[name]}")
        if name in settings:
            raise InputError(f"--set gives {name} twice")
        settings[name] = read_value(value)
    return settings


def read_value(text: str) -> Any:
    """A number, none, true, false, a list or a dictionary as Python writes them; all else is text.

    >>> [read_value(text) for text in ("5", "0.5", "none", "True", "auto", '"none"', "{'a': 2}", "log2+1")]
    [5, 0.5, None, True, 'auto', 'none', {'a': 2}, 'log2+1']
    """
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _set(thing: Any, settings: dict[str, Any], part: str = "") -> Any:
    """Set the parameters of an estimator, a forest or a solver."""
    known = sorted(name for name in thing.get_params(deep=False) if part or name not in OPTIONS)
    check_known(settings, known, f"a {type(thing).__name__}", f"{part}{WITHIN}" if part else "")
    return thing.set_params(**settings)


def check_known(settings: Iterable[str], known: Sequence[str], what: str, before: str = "") -> None:
    """Refuse a name that something does not have, and say what it has."""
    for name in settings:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"do you mean {quote_name(near[0])}? " if near else ""
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise InputError(f"--set {quote_name(before + name)}: {what} has no such setting; {hint}{has}")


def _make_solver(weights: Any) -> Any:
    """The solver of a name, which can be told its settings."""
    from glade.weights.solvers import SOLVERS

    if not isinstance(weights, str):
        return weights
    if weights not in SOLVERS:
        raise InputError(f"there are no weights {quote_name(weights)}: there are {', '.join(SOLVERS)}")
    return SOLVERS[weights]()
