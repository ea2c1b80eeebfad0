"""Names of people that are easily missed, the ways in which people write them, and texts as they are compared in a test."""

from __future__ import annotations

import unicodedata

AWKWARD = (
    *("Großmann", "Zoe\u0308", "Mıra", "İpek", "ﬁona", "Ａlice", "ﾐﾗｶ"),
    *("Kay.b(c)*[d]", "מירהל", "Jean Luc", "Jean", "O’Brien", "🦊🦊", 'Bea "the Fox" B'),
)
"""Letters that are two, of another width, joined, or with marks of their own, and what means something elsewhere."""


def plainly(text: str) -> str:
    """A text as a test compares it, worked out otherwise than an export does it."""
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFKC", composed.replace("ı", "i").replace("i\u0307", "i"))


def ways_to_write(name: str) -> list[str]:
    """A name as people and programs write it: loud, quiet, composed, decomposed, in plain letters."""
    ways = [name, name.upper(), name.lower(), name.casefold()]
    ways += [unicodedata.normalize(form, name) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    return list(dict.fromkeys((*ways, name.replace(" ", "-"), name.replace("’", "'"))))
