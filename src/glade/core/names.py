"""Names as a person or a terminal can bear them."""

import re
from collections.abc import Sequence
from itertools import count

MAX_SHOWN = 60
MAX_LISTED = 5
# What Markdown reads as more than itself: marks of code, emphasis, links, cells and formulas; the start of a tag or of
# an entity; underscores at the edge of a word; what makes a link of an address. "x <= 0.5" stays as it is.
MARKDOWN_MARKS = re.compile(
    r"[\\`*\[\]|~$@]|<(?=[A-Za-z/!?])|&(?=[#A-Za-z])|(?<![^\W_])_|_(?![^\W_])|:(?=\S)|(?<=www)\.", re.IGNORECASE
)


def show_name(name: object) -> str:
    """A name for display: control and direction characters escaped, shortened in the middle when very long.

    >>> show_name("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    >>> show_name("")
    "''"
    """
    text = escape_controls(str(name))
    if len(text) > MAX_SHOWN:
        half = MAX_SHOWN // 2 - 1
        text = f"{text[:half]}…{text[-half:]}"
    return text or "''"


def escape_controls(text: str) -> str:
    """Text in which no character moves a cursor, changes a colour or turns the direction of writing.

    >>> print(escape_controls("a\\x1b[31mb"))
    a\\x1b[31mb
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def escape_markdown(text: str) -> str:
    """Text for a line of Markdown, such as a cell of a table, that reads as it is: no tag, link or mark survives.

    >>> print(escape_markdown("<b> | [a](x) | body_mass_g <= 0.5"))
    \\<b> \\| \\[a\\](x) \\| body_mass_g <= 0.5
    """
    return MARKDOWN_MARKS.sub(r"\\\g<0>", escape_controls(text))


def show_plainly(name: object) -> str:
    """A name for a picture of Matplotlib's: a dollar sign starts no formula.

    >>> print(show_plainly("price in $"))
    price in \\$
    """
    return show_name(name).replace("$", r"\$")


def quote_name(name: object) -> str:
    """A name inside a sentence.

    >>> print(quote_name("two\\nlines"), quote_name(""))
    'two\\nlines' ''
    """
    return f"'{show_name(name)}'" if str(name) else "''"


def list_names(names: Sequence[object]) -> str:
    """Names inside a sentence, the first few of many.

    >>> print(list_names(["a", "b"]), list_names("abcdefgh"), sep="; ")
    'a' and 'b'; 'a', 'b', 'c', 'd', 'e' and 3 more
    """
    shown = [quote_name(name) for name in names[:MAX_LISTED]]
    if len(names) > MAX_LISTED:
        shown.append(f"{len(names) - MAX_LISTED} more")
    return join_words(shown)


def make_distinct(names: Sequence[str]) -> list[str]:
    """Names with a number after each that came before.

    >>> make_distinct(["a", "b", "a", "a"])
    ['a', 'b', 'a (2)', 'a (3)']
    """
    distinct: dict[str, None] = {}
    for name in names:
        unused = (f"{name} ({k})" if k > 1 else name for k in count(1))
        distinct[next(candidate for candidate in unused if candidate not in distinct)] = None
    return list(distinct)


def join_words(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
