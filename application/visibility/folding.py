"""Names in texts, however they are written: in capitals, with other code points for the same letters, with a mark that joins.

A text is folded before it is compared: decomposed for compatibility (NFKD), without case, without invisible signs; the
two i of Turkish are one letter. Every folded letter has its place in the text, so that a name that is found can be
replaced there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
"""Signs that are not shown: joiners, soft hyphens, marks of direction, variants of a sign."""

_JOINT = r"[\s_'\"\-\u00ab\u00bb\u02bc\u2018-\u201f\u2010-\u2015]+"
"""Blanks, dashes and quotation marks. Between the words of a name one is as good as another: ``Anna-Lena`` is ``anna lena``."""

_DOTLESS, _DOTTED = "\u0131", "i\u0307"


def folded(text: str) -> str:
    """A text as it is compared."""
    return text.lower() if text.isascii() else _folded(_UNSEEN.sub("", text))


def _folded(text: str) -> str:
    once = unicodedata.normalize("NFKD", unicodedata.normalize("NFD", text).casefold())
    return unicodedata.normalize("NFKD", once.casefold()).replace(_DOTLESS, "i").replace(_DOTTED, "i")


class _Span(NamedTuple):
    """The place from which a letter of a folded text comes."""

    start: int
    end: int


def _located(text: str) -> tuple[str, list[_Span]]:
    """A folded text, and the place of each of its letters: whole letters, with all of their marks."""
    letters: list[str] = []
    spans: list[_Span] = []
    for span in _whole_letters(text):
        piece = folded(text[span.start : span.end])
        letters.append(piece)
        spans += [span] * len(piece)
    return "".join(letters), spans


def _whole_letters(text: str) -> Iterator[_Span]:
    """Each letter with the marks that follow it, and with invisible signs."""
    start = 0
    for at in range(1, len(text)):
        if not _UNSEEN.match(text[at]) and not unicodedata.combining(unicodedata.normalize("NFKD", text[at])[0]):
            yield _Span(start, at)
            start = at
    if text:
        yield _Span(start, len(text))


class NameFinder:
    """Finds some names in texts, as whole words; of two that begin alike the longer one."""

    def __init__(self, names: Iterable[str]) -> None:
        written = {name: folded(name).strip() for name in names}
        self._names = sorted(filter(written.__getitem__, written), key=lambda name: -len(written[name]))
        patterns = "|".join(f"({_pattern(written[name])})" for name in self._names)
        marks = _marks()
        whole = rf"(?<![^\W_])(?<![{marks}])(?:{patterns})(?![^\W_]|[{marks}])"
        self._any = re.compile(whole) if self._names else None

    def found(self, text: str) -> frozenset[str]:
        """The names that are in a text."""
        if self._any is None:
            return frozenset()
        return frozenset(self._name(match) for match in self._any.finditer(folded(text)))

    def replaced(self, text: str, other: Callable[[str, str], str]) -> str:
        """A text with something else for each name: what ``other`` says for the name and for how it is written there."""
        if self._any is None or not self._any.search(folded(text)):
            return text
        letters, spans = _located(text)
        pieces, done = [], 0
        for match in self._any.finditer(letters):
            start, end = max(done, spans[match.start()].start), spans[match.end() - 1].end
            pieces += [text[done:start], other(self._name(match), text[start:end])]
            done = end
        return "".join((*pieces, text[done:]))

    def _name(self, match: re.Match[str]) -> str:
        assert match.lastindex is not None
        return self._names[match.lastindex - 1]


def _pattern(name: str) -> str:
    return _JOINT.join(map(re.escape, re.split(rf"(?<=\w){_JOINT}(?=\w)", name)))


@cache
def _marks() -> str:
    """All marks that belong to the letter before them, for a class of a pattern."""
    return "".join(filter(lambda letter: unicodedata.category(letter)[0] == "M", map(chr, range(0x300, 0x1F000))))
