"""Reader of HTML that others wrote: trees of elements, with bounds on what a page may ask of the reader.

The standard library's parser scans what it has not finished again with every piece, so a tag may not go on for ever;
scripts and styles are left out before it sees them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from html.parser import HTMLParser

import attrs

from rollbook.adapters.imports.bounded import OUTCOME, Source
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Changeable

DEEPEST = 200
"""Most elements within one another."""
LONGEST_TAG = 32 * 1024
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_BLOCKS = frozenset(
    ("br", "div", "p", "li", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "hr", "pre")
)
_UNSEEN = re.compile(r"<(script|style|textarea|title|svg|!--)", re.IGNORECASE)
_END = {
    **{tag: re.compile(rf"</{tag}\s*>", re.IGNORECASE) for tag in ("script", "style", "textarea", "title", "svg")},
    "!--": re.compile("-->"),
}


@attrs.define
class Element(Changeable):
    """An element with what is in it, in order, and the line on which it begins."""

    tag: str
    given: dict[str, str]
    line: int
    inside: list[Element | str] = attrs.field(factory=list)

    @property
    def classes(self) -> list[str]:
        """The names of its classes."""
        return self.given.get("class", "").split()

    def elements(self) -> Iterator[Element]:
        """The element and all that are in it, in the order of the page."""
        yield self
        for one in self.inside:
            if isinstance(one, Element):
                yield from one.elements()

    def first(self, kind: str) -> Element | None:
        """The first element of a class; None if there is none."""
        return next((one for one in self.elements() if kind in one.classes), None)

    def text(self, without: frozenset[str] = frozenset()) -> str:
        """The words in it, a line for each block; ``without`` are classes whose words are left out."""
        lines = (" ".join(line.split()) for line in "".join(self._words(without)).splitlines())
        return "\n".join(line for line in lines if line)

    def _words(self, without: frozenset[str]) -> Iterator[str]:
        if not without.isdisjoint(self.classes):
            return
        edge = "\n" if self.tag in _BLOCKS else ""
        yield edge
        for one in self.inside:
            yield from (one.replace("\n", " "),) if isinstance(one, str) else one._words(without)  # noqa: SLF001 - the same class
        yield edge


def elements(source: Source, lines: list[str], is_wanted: Callable[[Element], bool]) -> Iterator[Element]:
    """The wanted elements of a page, each as a tree; one that begins ends the one before it.

    Raises RollbookError that names the line from which on the page cannot be read.
    """
    parser, waiting = _Parser(is_wanted), ""
    for number, line in enumerate(_seen(lines), 1):
        waiting += f"{line}\n"
        if ">" in line or not parser.rawdata.startswith("<"):
            with _named(source, number):
                parser.feed(waiting)
            waiting = ""
        if len(parser.rawdata) + len(waiting) > LONGEST_TAG:
            raise _refused(source, number, "it has a tag that does not end")
        yield from parser.taken()
    parser.finish()
    yield from parser.taken()


@contextmanager
def _named(source: Source, line: int) -> Iterator[None]:
    try:
        yield
    except _TooDeep:
        raise _refused(source, line, f"more than {DEEPEST} elements are nested in one another") from None


def fragment(source: Source, line: int, text: str) -> Element:
    """A line with tags as a tree: a tag that does not end is words. Raises RollbookError if it is nested too deeply."""
    parser = _Parser(lambda _: False)
    root = Element("span", {}, line)
    parser.open = [root]
    with _named(source, line):
        parser.feed(text)
    root.inside.append(unescape(parser.rawdata))
    return root


def _refused(source: Source, line: int, why: str) -> RollbookError:
    return RollbookError(f"{source.path}, line {line}: {why}. {OUTCOME}")


def _seen(lines: list[str]) -> Iterator[str]:
    """The lines without scripts, styles and comments, which may go on over many."""
    until: re.Pattern[str] | None = None
    for line in lines:
        kept, at = [], 0
        while at < len(line):
            if until is not None:
                ends = until.search(line, at)
                at, until = (ends.end(), None) if ends else (len(line), until)
            else:
                begins = _UNSEEN.search(line, at)
                kept.append(line[at : begins.start() if begins else len(line)])
                at = begins.end() if begins else len(line)
                until = _END[begins[1].casefold()] if begins else None
        yield "".join(kept)


class _TooDeep(Exception):
    """More elements within one another than a page needs."""


class _Parser(HTMLParser):
    """The standard library's parser, which makes trees of what is wanted."""

    def __init__(self, is_wanted: Callable[[Element], bool]) -> None:
        super().__init__()
        self._is_wanted = is_wanted
        self._done: list[Element] = []
        self.open: list[Element] = []

    def taken(self) -> Iterator[Element]:
        """The elements that are complete by now."""
        while self._done:
            yield self._done.pop(0)

    def finish(self) -> None:
        """End the last element."""
        self._done += self.open[:1]
        self.open = []

    def set_cdata_mode(self, elem: str, **_: object) -> None:
        """Read no element as raw text: those that hold it were left out before."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {key: value or "" for key, value in attrs}, self.getpos()[0])
        if self._is_wanted(made):
            self.finish()
        elif not self.open:
            return
        else:
            self.open[-1].inside.append(made)
        if tag not in _VOID:
            self.open.append(made)
        if len(self.open) > DEEPEST:
            raise _TooDeep

    def handle_endtag(self, tag: str) -> None:
        place = next((at for at in reversed(range(len(self.open))) if self.open[at].tag == tag), None)
        if place == 0:
            self.finish()
        elif place:
            del self.open[place:]

    def handle_data(self, data: str) -> None:
        if self.open:
            self.open[-1].inside.append(data)
