"""Sentences that advise a setting: the library words it as a parameter, the command line as an option."""

from collections.abc import Callable
from dataclasses import dataclass

from glade.core.names import quote_name


@dataclass(frozen=True)
class Setting:
    """A parameter, and the value it is advised to have.

    Parameters
    ----------
    parameter : str
        The name of the parameter in the library.
    value : str, bool, tuple of str, or None
        The advised value; a tuple holds what is to be added to a parameter that takes several values, and an empty
        tuple empties it. None where a sentence only names the parameter.

    Examples
    --------
    >>> print(Setting("sep", ";"), Setting("header", False), Setting("missing", ("n/a",)), Setting("encoding"))
    sep=';' header=False missing=[..., 'n/a'] encoding=
    """

    parameter: str
    value: str | bool | tuple[str, ...] | None = None

    def __str__(self) -> str:
        if isinstance(self.value, tuple):
            shown = ", ".join(["...", *map(quote_name, self.value)]) if self.value else ""
            return f"{self.parameter}=[{shown}]"
        if self.value is None:
            return f"{self.parameter}="
        return f"{self.parameter}={quote_name(self.value) if isinstance(self.value, str) else self.value}"


class Advice(str):
    """A sentence made of texts and settings, which reads as one for a user of the library.

    Examples
    --------
    >>> sentence = Advice("did you mean ", Setting("sep", ";"), "?")
    >>> sentence
    "did you mean sep=';'?"
    >>> sentence.word(lambda setting: f"--{setting.parameter} '{setting.value}'")
    "did you mean --sep ';'?"
    """

    parts: tuple[str | Setting, ...]

    def __new__(cls, *parts: str | Setting) -> "Advice":
        """Join the parts, each setting in the library's words; the parts of an advice among them become its own."""
        flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Advice) else (part,)))
        sentence = super().__new__(cls, "".join(map(str, flat)))
        sentence.parts = flat
        return sentence

    def word(self, word_setting: Callable[[Setting], str]) -> str:
        """Return the sentence with each setting in other words."""
        return "".join(word_setting(part) if isinstance(part, Setting) else part for part in self.parts)
