"""What is wrong with bytes that cannot be read, in words for people: libraries say it for programmers."""

import re

import msgspec

FIELD = re.compile(r"at `\$[^`]*?\.([A-Za-z_]+)[^`.]*`")
MISSING = re.compile(r"missing required field `([A-Za-z_]+)`")


def fault_in_words(
    error: BaseException, otherwise: str = "something in it is missing or is not what it should be"
) -> str:
    """A few words, without a full stop: which field is wrong or missing, or that it is not JSON or not text at all."""
    said = str(error)
    if isinstance(error, UnicodeError) or "UTF-8" in said:
        return "it is not text in UTF-8"
    if isinstance(error, msgspec.ValidationError):
        missing, field = MISSING.search(said), FIELD.search(said)
        if missing:
            return f"its field {missing[1]!r} is missing"
        return f"its field {field[1]!r} is not what it should be" if field else otherwise
    if isinstance(error, msgspec.DecodeError):
        return "it is not JSON"
    return otherwise
