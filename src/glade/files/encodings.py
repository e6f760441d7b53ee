"""Bytes of text in any encoding to UTF-8 without a byte order mark; a byte that does not fit is said with its place."""

import codecs

from glade.core.advice import Advice, Setting
from glade.core.errors import InputError
from glade.core.names import quote_name
from glade.files.sources import Source

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it starts with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
SAMPLE = 4096


def to_utf8(source: Source, encoding: str | None) -> bytes:
    """The text of a source in UTF-8."""
    content = source.content
    if encoding is None:
        encoding = next((name for mark, name in MARKS.items() if content.startswith(mark)), "utf-8")
    if encoding == "utf-8-sig":
        content, encoding = content[len(codecs.BOM_UTF8) :], "utf-8"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        what = f"byte {fault.start:,} ({content[fault.start]:#04x}) is no {encoding.upper()}"
        raise InputError(Advice(f"{source}, line {line}: {what}: ", _advise(content, encoding))) from None
    except (LookupError, ValueError):
        raise InputError(f"{quote_name(encoding)} reads no text: give utf-8, latin-1, cp1252, utf-16, ...") from None
    if encoding != "utf-8":
        return text.encode().removeprefix(codecs.BOM_UTF8)
    if "\0" in text[:SAMPLE]:
        guessed = _guess_wide(content)
        if guessed:
            raise InputError(Advice(f"{source} has a zero for every second byte: give ", Setting("encoding", guessed)))
    return content


def _advise(content: bytes, encoding: str) -> Advice:
    guessed = _guess_wide(content)
    if guessed and encoding != guessed:
        return Advice("give ", Setting("encoding", guessed))
    return Advice("save the file as UTF-8, or give ", Setting("encoding"), " (latin-1 and cp1252 are common)")


def _guess_wide(content: bytes) -> str | None:
    """UTF-16 without a mark has zeros in every second byte of western text."""
    sample = content[:SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    half = len(sample) // 4
    return "utf-16-le" if odd > half and not even else "utf-16-be" if even > half and not odd else None
