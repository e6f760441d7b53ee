"""The quoting of ARFF: names and values in single or double quotes, with backslashes."""

QUOTES = "'\""
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def split_quoted(text: str, keep_quotes: bool = False) -> list[tuple[str, bool]]:
    """The values between commas, without the blanks around them, and whether each was quoted.

    >>> split_quoted("a, 'b, c', \\"it\\\\'s\\", ?")
    [('a', False), ('b, c', True), ("it's", True), ('?', False)]
    >>> split_quoted("3 'a, b', 4 c", keep_quotes=True)
    [("3 'a, b'", False), ('4 c', False)]
    """
    if not any(quote in text for quote in QUOTES):
        return [(part.strip(), False) for part in text.split(",")]
    parts, at = [], 0
    while True:
        start = at
        at = _find_comma(text, start)
        part = text[start:at].strip()
        is_quoted = part[:1] in QUOTES and bool(part)
        if is_quoted and not keep_quotes:
            part, rest = take_quoted(part)
            if rest.strip():
                raise ValueError("text after a closing quote: put quotes around the whole value")
        parts.append((part, is_quoted and not keep_quotes))
        if at >= len(text):
            return parts
        at += 1


def _find_comma(text: str, at: int) -> int:
    """The next comma that is not between quotes, or the end. A quote opens where a value starts."""
    opened, is_start = "", True
    while at < len(text):
        letter = text[at]
        if opened:
            if letter == "\\":
                at += 1
            elif letter == opened:
                opened = ""
        elif letter == ",":
            return at
        elif letter in QUOTES and is_start:
            opened = letter
        is_start = letter.isspace()
        at += 1
    if opened:
        raise ValueError(f"a quote ({opened}) is never closed")
    return at


def take_quoted(text: str) -> tuple[str, str]:
    """The value in quotes that a text starts with, and what follows it.

    >>> take_quoted("'a b' numeric")
    ('a b', ' numeric')
    """
    letters: list[str] = []
    at = 1
    while at < len(text):
        letter = text[at]
        if letter == text[0]:
            return "".join(letters), text[at + 1 :]
        if letter == "\\" and at + 1 < len(text):
            at += 1
            letter = ESCAPES.get(text[at], text[at])
        letters.append(letter)
        at += 1
    raise ValueError(f"a quote ({text[0]}) is never closed")


def take_name(text: str) -> tuple[str, str]:
    """The name that an attribute's declaration starts with, and its type.

    >>> take_name("class {a, b}"), take_name('"my size"  real')
    (('class', '{a, b}'), ('my size', 'real'))
    """
    if text[:1] in QUOTES and text:
        name, rest = take_quoted(text)
    else:
        end = next((k for k, letter in enumerate(text) if letter.isspace() or letter == "{"), len(text))
        name, rest = text[:end], text[end:]
    if not name:
        raise ValueError("an attribute without a name")
    return name, rest.strip()
