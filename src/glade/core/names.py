"""Names as a person or a terminal can bear them."""

MAX_SHOWN = 60


def show_name(name: object) -> str:
    """A name for display: control and direction characters escaped, shortened in the middle when very long.

    >>> show_name("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    >>> show_name("")
    "''"
    """
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(name))
    if len(text) > MAX_SHOWN:
        half = MAX_SHOWN // 2 - 1
        text = f"{text[:half]}…{text[-half:]}"
    return text or "''"
