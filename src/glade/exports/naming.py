"""Names of columns that exports make."""

from collections.abc import Sequence

from glade.core.errors import InputError
from glade.core.names import list_names


class Names:
    """Names, no two of them alike even where capitals are not told apart, none too long.

    Parameters
    ----------
    taken
        Names that there are already.
    longest
        The most letters (or bytes, where that is more); None for any number.

    Examples
    --------
    >>> names = Names(["a"])
    >>> [names.take("A"), names.take("b"), names.take("B")]
    ['A_2', 'b', 'B_2']
    """

    def __init__(self, taken: Sequence[str], longest: int | None = None):
        self._taken = {name.casefold() for name in taken}
        self._longest = longest

    def take(self, name: str) -> str:
        """Return this name, or one like it that is free."""
        short = name.encode("utf-8", "replace")[: self._longest].decode("utf-8", "ignore")
        free, k = short, 1
        while free.casefold() in self._taken:
            k += 1
            end = f"_{k}"
            free = f"{short if self._longest is None else short[: self._longest - len(end)]}{end}"
        self._taken.add(free.casefold())
        return free


def check_text(text: str, form: str) -> None:
    """Refuse a name or a category that a form cannot hold.

    Parameters
    ----------
    text
        A name or a category.
    form
        What sentences call the form.
    """
    try:
        is_text = "\0" not in text and bool(text.encode("utf-8") or True)
    except UnicodeEncodeError:
        is_text = False
    if not is_text:
        raise InputError(
            f"{list_names([text])} holds a character that {form} cannot: rename the column or the category"
        )
