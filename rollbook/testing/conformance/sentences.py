"""What a refusal must be: a sentence that a person at the table can read."""

import re
from collections.abc import Iterable

_ENDS = re.compile(r"[.!?…][)'\"”]?(\s|$)|: ")
_NOISE = re.compile(
    r"object at 0x|<class |<function |Traceback|mappingproxy\(|frozenset\(|NoneType|\b[A-Z]\w*(Error|Exception)\b|"
    r"\b[A-Z]\w+\(\w+=|[(\[{]['\"]\w*['\"],|\bNone\b(?! of)"
)


def fault_in(text: str, names: Iterable[str] = (), *, shortest: int = 2) -> str:
    """What keeps a text from being a sentence of ``shortest`` words or more; "" if it is one.

    It may begin with one of the ``names`` in lower case.
    """
    if len(text.split()) < shortest:
        return "it is too short to say anything"
    if not (text[0].isupper() or not text[0].isalpha() or text.startswith(tuple(name for name in names if name))):
        return "it begins with neither a capital letter nor a name"
    if not _ENDS.search(text):
        return "it never comes to the end of a sentence"
    noise = _NOISE.search(text)
    return f"{noise[0]!r} is for programmers" if noise else ""
