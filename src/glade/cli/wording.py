"""What the library advises, in the words of the command line: `--sep ';'` instead of `sep=';'`."""

import re

from glade.core.advice import Advice, Setting
from glade.core.names import quote_name, show_name

OPTIONS = {"missing": "--na", "sample_weight": "--weight", "groups": "--group", "X": "--drop"}  # others: their own name
FLAGS = {Setting("header", False): "--no-header", Setting("missing", ()): "--no-default-na"}
PLAIN = re.compile(r"-?[\w.]+(-[\w.]+)*", re.ASCII)  # needs no quotes in a shell
QUOTED = ("sep", "decimal", "numeric")  # values that are always quoted


def word_for_shell(sentence: str) -> str:
    """Return a sentence with options where the library names parameters.

    >>> word_for_shell(Advice("did you mean ", Setting("sep", ";"), "?"))
    "did you mean --sep ';'?"
    >>> word_for_shell("no advice")
    'no advice'
    """
    return sentence.word(_word_option) if isinstance(sentence, Advice) else str(sentence)


def _word_option(setting: Setting) -> str:
    if setting in FLAGS:
        return FLAGS[setting]
    option = OPTIONS.get(setting.parameter, f"--{setting.parameter}")
    values = setting.value if isinstance(setting.value, tuple) else (setting.value,) if setting.value else ()
    return " ".join(f"{option} {_quote(setting.parameter, str(value))}" for value in values) or option


def _quote(parameter: str, value: str) -> str:
    return quote_name(value) if parameter in QUOTED or not PLAIN.fullmatch(value) else show_name(value)
